import {type ReactNode, useEffect} from 'react';
import {type Screen, useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useWays, type Ways} from '../../hooks/links.ts';
import {useNow} from '../../hooks/now.ts';
import {videoWords} from '../../store/export/compose-selection.ts';
import {listOpenedAt} from '../../store/state/view-transitions.ts';
import {generationWords, type UploadEntry} from '../../store/uploads/upload-entry.ts';
import {age, byteSize, counted, grouped, moment} from '../../terminal/quantity.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {absentLines, targetLine} from '../list/listing-lines.ts';
import {fieldLines, headingLine, type KnownField, type OpenedLine} from '../list/opened-line.ts';
import {OpenedPane} from '../list/opened-pane.tsx';
import {phaseLook, shareDone, upshot} from './upload-words.ts';
import {useShownUploads} from './uploads-bindings.ts';

/** An upload with its reason whole and its problems. */
export function UploadDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const ways = useWays();
	const {selected, entries, keys, bindings} = useShownUploads();
	const {cursor} = useExplorerState(({lists}) => lists.uploads);
	const named = entries.find(({key, operationId}) => operationId === cursor && key !== cursor)?.key;
	useEffect(() => {
		// A link names the operation; the feed may know the upload by another id.
		if (named !== undefined) explorer.update(listOpenedAt('uploads', named));
	}, [explorer, named]);
	useEffect(() => {
		if (selected !== undefined) explorer.uploads.lookInto(selected);
	}, [explorer, selected]);
	const width = look.beside ? look.width - 1 : look.width;
	return (
		<OpenedPane
			{...look}
			list="uploads"
			title={selected?.name ?? selected?.operationId ?? ''}
			noun="Upload"
			keys={keys}
			lines={
				selected === undefined ? absentLines(undefined) : uploadLines(selected, {width, screen, now, ways})
			}
			bindings={bindings}
		/>
	);
}

const knownOfStatus = new Set([
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
]);

function fieldsOf(entry: UploadEntry, screen: Screen, now: number): readonly (KnownField | undefined)[] {
	const {status, bytes, progress} = entry;
	const {text, role} = phaseLook(entry, screen.signs);
	const field = (
		label: string,
		value: string | number | bigint | null | undefined,
	): KnownField | undefined =>
		value == null || value === ''
			? undefined
			: {label, value: typeof value === 'string' ? value : grouped(value)};
	return [
		{label: 'phase', value: text, role},
		entry.phase === 'failed'
			? {label: 'reason', value: entry.message ?? 'no reason given', role: 'bad'}
			: field('message', entry.message),
		entry.trouble === undefined ? undefined : {label: 'not newer', value: entry.trouble, role: 'warning'},
		field('done', shareDone(entry) === undefined ? undefined : upshot(entry)),
		field('step', progress?.step),
		progress !== undefined && progress.text !== progress.step ? field('detail', progress.text) : undefined,
		field('version', status?.dataset_version_id),
		field(
			'generation',
			status &&
				generationWords(status)
					.join(', ')
					.replace(/^generation /, ''),
		),
		field('episodes', status?.episode_count),
		field('frames', status?.total_frames),
		field(
			'sent',
			bytes &&
				(bytes.total === undefined
					? byteSize(bytes.stored)
					: `${byteSize(bytes.stored)} of ${byteSize(bytes.total)}`),
		),
		field('videos', entry.made && videoWords(entry.made, {counted, byteSize})),
		entry.made?.videos_note == null ? undefined : {label: '', value: entry.made.videos_note, role: 'warning'},
		field('kind', entry.kind),
		field('folder', entry.folder),
		field('operation', entry.operationId),
		field('repo', entry.repoId),
		field('began', entry.createdAt === undefined ? undefined : moment(entry.createdAt)),
		field('moved', `${moment(entry.updatedAt)}, ${age(now - entry.updatedAt)}`),
		...Object.entries(status ?? {}).map(([name, value]) =>
			knownOfStatus.has(name) || value === null ? undefined : field(name, wordOf(value)),
		),
	];
}

function wordOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The link to its episodes, once they are in the lake. */
function episodesLine(
	{phase, name}: UploadEntry,
	{screen, ways}: {screen: Screen; ways: Ways},
): readonly OpenedLine[] {
	if (phase !== 'finalized' || name === undefined) return [];
	const enter = () => ways.toEpisodes({datasets: [name]});
	const target = {id: 'episodes', description: 'to its episodes', enter};
	return [targetLine({label: 'episodes', text: `those of ${name}`}, target, {screen})];
}

/** An entry of the feed in full: its state, the whole reason, its problems. */
function uploadLines(
	entry: UploadEntry,
	{width, screen, now, ways}: {width: number; screen: Screen; now: number; ways: Ways},
): readonly OpenedLine[] {
	const fields = fieldsOf(entry, screen, now).filter(each => each !== undefined);
	const {problems, problemCount} = entry;
	const left = problemCount - problems.length;
	return [
		...fieldLines(fields, width, screen),
		...episodesLine(entry, {screen, ways}),
		...(problemCount === 0 ? [] : [[], headingLine(counted(problemCount, 'problem'))]),
		...fieldLines(
			problems.map(({file, episode_index: index, message}) => ({
				label: index == null ? '' : `episode ${index}`,
				value: `${file}: ${message}`,
				role: 'warning' as const,
			})),
			width,
			screen,
		),
		...(left > 0 && problems.length > 0
			? [[{text: ` and ${counted(left, 'problem')} more`, role: 'dim'} as const]]
			: []),
	];
}
