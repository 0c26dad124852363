import {cellsOf} from '../../components/segment.ts';
import type {Signs} from '../../components/signs.ts';
import type {Role} from '../../components/theme.ts';
import {generationWords, type UploadEntry} from '../../store/uploads/upload-entry.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';

/** The phase as received, with a sign that shows it without colour. */
export function phaseLook(
	{phase, done, quiet}: UploadEntry,
	signs: Signs,
): {readonly text: string; readonly role: Role} {
	if (phase === undefined) return {text: `${signs.ring} not loaded yet`, role: 'dim'};
	if (phase === 'failed') return {text: `${signs.no} failed`, role: 'bad'};
	if (phase === 'finalized') return {text: `${signs.yes} finalized`, role: 'good'};
	if (done) return {text: `${signs.separator} ${phase}`, role: 'dim'};
	if (quiet) return {text: `${signs.warning} ${phase}, quiet`, role: 'warning'};
	return {text: `${signs.partly} ${phase}`, role: 'accent'};
}

/** The share done, between 0 and 1; undefined while the total is unknown. */
export function shareDone({progress, bytes, done}: UploadEntry): number | undefined {
	if (done) return undefined;
	if (progress?.done !== undefined && progress.total !== undefined) return progress.done / progress.total;
	return bytes?.total ? Math.min(1, bytes.stored / bytes.total) : undefined;
}

/** The same, without its last parts where they would be cut. */
export function fittingUpshot(entry: UploadEntry, width: number): string {
	const parts = [...outcomeParts(entry)];
	while (parts.length > 1 && cellsOf(parts.join(', ')) > width) parts.pop();
	return parts.join(', ') || upshot(entry);
}

/** The result of a finished upload; empty where it failed, or is unknown. */
function outcomeParts({phase, done, status}: UploadEntry): readonly string[] {
	if (phase === 'failed' || !done || !status) return [];
	const {episode_count, total_frames} = status;
	return [
		...generationWords(status),
		episode_count == null ? '' : counted(episode_count, 'episode'),
		total_frames == null ? '' : counted(total_frames, 'frame'),
	].filter(Boolean);
}

/** Result, progress or reason of failure, in one line. */
export function upshot(entry: UploadEntry): string {
	const {phase, status, message, progress, bytes, done, trouble} = entry;
	if (trouble !== undefined && status === undefined) return trouble;
	if (phase === 'failed') return message ?? 'no reason given';
	if (done && status) return outcomeParts(entry).join(', ') || (message ?? '');
	if (progress) {
		const {step, done: made, total, unit} = progress;
		const counts = made === undefined ? '' : unit === '%' ? `${made}%` : `${made}/${total} ${unit ?? ''}`;
		return [counts.trim(), step ?? (counts === '' ? progress.text : '')].filter(Boolean).join(' ');
	}
	if (bytes && !done) {
		const stored = byteSize(bytes.stored);
		return bytes.total === undefined ? stored : `${stored} of ${byteSize(bytes.total)}`;
	}
	return message ?? '';
}
