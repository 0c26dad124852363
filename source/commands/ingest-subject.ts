import {readProgressDetail} from '../contract/progress-detail.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import {generationWords} from '../store/uploads/upload-entry.ts';
import {printable} from '../terminal/printable.ts';
import {counted, moment} from '../terminal/quantity.ts';
import {furtherFields} from './print/table.ts';
import type {Outcome, Subject} from './subject.ts';

const known = [
	'phase',
	'done',
	'message',
	'progress_json',
	'dataset_version_id',
	'generation',
	'episode_count',
	'total_frames',
	'changed_episodes',
	'other_changes',
];

function outcomeOf({phase, done}: SyncStatus): Outcome {
	if (!done) return 'under way';
	return phase === 'finalized' ? 'good' : 'bad';
}

/** The result: `generation 3: 40 episodes, 12,000 frames (version …)`. */
function result(status: SyncStatus): string | undefined {
	const {episode_count, total_frames, dataset_version_id} = status;
	const counts = [
		...(episode_count == null ? [] : [counted(episode_count, 'episode')]),
		...(total_frames == null ? [] : [counted(total_frames, 'frame')]),
	].join(', ');
	const parts = [
		...generationWords(status),
		...(counts === '' ? [] : [counts]),
		...(dataset_version_id ? [`version ${dataset_version_id}`] : []),
	];
	return parts.length > 0 ? parts.join(' · ') : undefined;
}

/** Its phase with what goes on in it, without the counts, which move all the time. */
function stage({phase, progress_json}: SyncStatus): string {
	const step = readProgressDetail(progress_json)?.step;
	return step === undefined || /\d/.test(step) ? phase : `${phase}, ${step}`;
}

/** How far it is, in the detail's own words where it tells no counts. */
function countsOf({progress_json}: SyncStatus): string | undefined {
	const {done, total, unit, step, text} = readProgressDetail(progress_json) ?? {};
	if (done !== undefined) return [`${done}/${total}`, unit].filter(Boolean).join(' ');
	const words = step ?? text;
	return words !== undefined && /\d/.test(words) ? words : undefined;
}

/** A line is printed for each tenth that was gone through. */
function tenths({progress_json}: SyncStatus): number {
	const {done, total} = readProgressDetail(progress_json) ?? {};
	return done === undefined || !total ? 0 : Math.floor((10 * done) / total);
}

/** The end: a failure's reason, and the result. */
function endOf(status: SyncStatus): string | undefined {
	const parts = [status.message, result(status)].filter(Boolean);
	return parts.length === 0 ? undefined : parts.join(' · ');
}

function progress({progress_json}: SyncStatus): string | undefined {
	const detail = readProgressDetail(progress_json);
	if (!detail) return undefined;
	if (detail.done === undefined) return detail.step ?? detail.text;
	return [detail.step, `${detail.done}/${detail.total}`, detail.unit].filter(Boolean).join(' ');
}

const line = (name: string, value: string | null | undefined): readonly string[] =>
	value ? [`${printable(name).padEnd(9)} ${printable(value)}`] : [];

/** A re-ingest (4.2). */
export function ingestSubject(id: string): Subject<SyncStatus> {
	return {
		kind: 'sync-status',
		id,
		read: async (client, options) => (await client.syncStatus(id, options)).data,
		outcome: outcomeOf,
		state: ({phase}) => phase,
		report: status => [
			...line('operation', id),
			...line('phase', status.phase),
			...line('progress', progress(status)),
			...line('result', result(status)),
			...line('message', status.message),
			...furtherFields(status, known).flatMap(([name, value]) => line(name, value)),
		],
		news(before, status, now) {
			const isSameStage = !status.done && stage(before) === stage(status);
			if (isSameStage && tenths(before) === tenths(status)) return [];
			const end = status.done ? endOf(status) : countsOf(status);
			return [`${moment(now)}  ${printable(stage(status) + (end === undefined ? '' : `: ${end}`))}`];
		},
		step(status) {
			const {done, total, unit} = readProgressDetail(status.progress_json) ?? {};
			return {subject: id.slice(0, 8), step: stage(status), done, total, unit};
		},
	};
}
