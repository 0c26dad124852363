import path from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {trimDataset} from '../../../source/service/augmentation/trim-dataset.ts';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import {damagesOf} from '../../lerobot/check/checked-dataset.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {annotate} from '../../support/language.ts';
import {dataFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {readParquet, withDuckDB} from '../../support/parquet.ts';
import {ingest, inWorkFolders} from '../ingest/ingest-run.ts';
import {chosen} from './chosen.ts';

let root: string;
let dataset: string;
inWorkFolders(folder => {
	root = folder.root;
	dataset = folder.dataset;
});

const fps = 30;
/** Still for 30 frames, then moving for 50, then still. */
const rested = (frame: number, dim: number) => (dim + 1) * Math.min(Math.max(frame - 30, 0), 50);
const say = '{"type":"function","function":{"name":"say","arguments":{"text":"got it"}}}';

beforeEach(async () => {
	await writeLerobotDataset(dataset, {
		fps,
		episodesPerFile: 2,
		episodes: [{frames: 100, action: rested, state: frame => frame}, {frames: 60}, {frames: 50}],
	});
	await annotate(
		dataset,
		[
			{episode: 0, at: 0, role: 'user', style: 'task_aug', content: 'take the cube'},
			{episode: 0, at: 0, role: 'user', style: 'task_aug', content: 'grab the cube'},
			{episode: 0, at: 0, style: 'subtask', content: 'reach'},
			{episode: 0, at: 10 / fps, style: 'memory', content: 'nothing held'},
			{episode: 0, at: 20 / fps, style: 'subtask', content: 'grasp'},
			{episode: 0, at: 40 / fps, style: 'memory', content: 'cube held'},
			{episode: 0, at: 60 / fps, style: 'subtask', content: 'place'},
			{episode: 0, at: 95 / fps, style: 'subtask', content: 'rest'},
		],
		[
			{episode: 0, frame: 3, role: 'user', style: 'interjection', content: 'wait'},
			{episode: 0, frame: 45, role: 'assistant', toolCalls: [say]},
			{
				episode: 0,
				frame: 46,
				role: 'user',
				style: 'vqa',
				content: 'where?',
				camera: 'observation.images.top',
			},
		],
	);
});

type Row = {
	role: string;
	content: string | null;
	style: string | null;
	timestamp?: number;
	tool_calls: unknown;
};
type Frame = {frame_index: bigint; timestamp: number; language_persistent: Row[]; language_events: Row[]};
const framesOf = async (folder: string, episode: number) =>
	(await readParquet(path.join(folder, dataFile()))).filter(
		row => Number(row.episode_index) === episode,
	) as unknown as Frame[];

test('subtasks that an annotator wrote are the markers of their episodes', async () => {
	const {episodes, messages} = await ingest(dataset, root);
	expect(messages).toEqual([]);
	expect(episodes.map(({marker_signature}) => marker_signature)).toEqual([
		'reach > grasp > place > rest',
		null,
		null,
	]);
});

test('a column of another shape is reported, and the episodes are taken', async () => {
	await rewriteParquet(dataset, dataFile(), "SELECT * REPLACE ('reach' AS language_persistent) FROM old");
	const {episodeCount, messages} = await ingest(dataset, root);
	expect(episodeCount).toBe(3);
	expect(messages).toEqual([
		expect.stringMatching(/^The subtasks in language_persistent of data\/.* cannot be read/),
	]);
});

test('a composed dataset has the columns as they were, of files that lack them none, and nothing is wrong with it', async () => {
	const before = await framesOf(dataset, 0);
	const target = path.join(root, 'made', 'said');
	const parents = [await chosen(root, path.relative(root, dataset), [0, 2])];
	await composeDataset({target, name: 'said', left_out: [], parents}, () => undefined, undefined);
	const after = await framesOf(target, 0);
	const language = ({language_persistent, language_events}: Frame) => [language_persistent, language_events];
	expect(after.map(language)).toEqual(before.map(language));
	expect(after[45]?.language_events).toMatchObject([{role: 'assistant', content: null, tool_calls: [say]}]);
	expect(
		(await framesOf(target, 1)).map(({language_persistent, language_events}) => [
			language_persistent,
			language_events,
		]),
	).toEqual(Array(50).fill([[], []]));
	expect(await jsonColumns(target)).toBe(2);
	expect(await damagesOf(target)).toEqual([]);
	const {episodes} = await ingest(target, root);
	expect(episodes.map(({marker_signature}) => marker_signature)).toEqual([
		'reach > grasp > place > rest',
		null,
	]);
});

test('a trimmed episode keeps what holds in it, in its own time, and the events at their frames', async () => {
	const target = path.join(root, 'made', 'trimmed');
	const problems: string[] = [];
	await trimDataset(
		{folder: dataset, dataset_name: 'cubes', target, ordinal: 0},
		{problem: ({message}) => problems.push(message), progress: () => undefined},
		undefined,
	);
	expect(problems).toEqual([]);
	const frames = await framesOf(target, 0);
	expect(frames).toHaveLength(51);
	const held = frames[0]?.language_persistent ?? [];
	expect(held.map(({style, content, timestamp}) => [style, content, timestamp])).toEqual([
		['task_aug', 'take the cube', 0],
		['task_aug', 'grab the cube', 0],
		['memory', 'nothing held', 0],
		['subtask', 'grasp', 0],
		['memory', 'cube held', frames[10]?.timestamp],
		['subtask', 'place', frames[30]?.timestamp],
	]);
	for (const {language_persistent} of frames) expect(language_persistent).toEqual(held);
	const events = frames.flatMap(({frame_index, language_events}) =>
		language_events.map(({style}) => [Number(frame_index), style]),
	);
	expect(events).toEqual([
		[15, null],
		[16, 'vqa'],
	]);
	expect(await damagesOf(target)).toEqual([]);
});

/** Leaves of the language columns that the file declares as JSON, as today's LeRobot does. */
async function jsonColumns(folder: string): Promise<number> {
	return withDuckDB(async connection => {
		const found = await connection.runAndReadAll(
			`SELECT count(*) FROM parquet_schema('${path.join(folder, dataFile())}') WHERE converted_type = 'JSON'`,
		);
		return Number(found.getRows()[0]?.[0]);
	});
}
