import {spawn} from 'node:child_process';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import type {ComposeWork} from '../../../source/service/compose/compose-messages.ts';
import {compareParents} from '../../../source/service/compose/differences.ts';
import {dataFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {writeLerobotV21Dataset} from '../../support/lerobot-v21-dataset.ts';
import {readParquet} from '../../support/parquet.ts';
import {ingest, inWorkFolders} from '../ingest/ingest-run.ts';
import {chosen} from './chosen.ts';
import {expectRules} from './dataset-rules.ts';

const top = 'observation.images.top';
let root: string;
inWorkFolders(folder => {
	root = folder.root;
});

const parent = (name: string, indices: readonly number[], ordinal = 0) =>
	chosen(root, name, indices, ordinal);

const shared = {telemetry: {effort: 2, 'next.reward': 1}, cameras: [top]};

test('parents of both formats, with markers, tags, telemetry and several files, become one that reads back the same', async () => {
	await writeLerobotDataset(path.join(root, 'new'), {
		...shared,
		episodesPerFile: 2,
		rowGroupSize: 2048,
		episodes: [
			{frames: 40},
			{
				frames: 50,
				tags: ['night'],
				tasks: ['drop the cube'],
				telemetry: (_, frame, dim) => frame / 4 + dim,
				markers: {names: ['reach', 'grasp'], startFrames: [0, 20]},
			},
			{frames: 30, action: (frame, dim) => dim * frame},
		],
	});
	await writeLerobotV21Dataset(path.join(root, 'old'), {...shared, episodes: [{frames: 25}, {frames: 35}]});
	const target = path.join(root, 'made', 'both');
	const parents = [await parent('new', [1, 2], 4), await parent('old', [1])];
	const steps: string[] = [];
	const summary = await composeDataset(
		{target, name: 'both', left_out: [], parents},
		({step, done}) => steps.push(`${step} ${done}`),
		undefined,
	);
	expect(summary).toMatchObject({episodes: 3, frames: 115, videos: 2, videos_cut: 0, videos_absent: 0});
	expect(summary.videos_note).toBe(
		'1 video file was taken whole, with the episodes that were not chosen: ffmpeg is not on the path of the service.',
	);
	expect(steps).toEqual(['composing 1', 'composing 2', 'composing 3', 'videos 3', 'checking 3']);
	expect(await readdir(path.dirname(target))).toEqual(['both']);

	const {episodes} = await expectRules(target);
	expect(episodes[0]).toMatchObject({
		tasks: ['drop the cube'],
		sparse_subtask_names: ['reach', 'grasp'],
		'lakescope/tags': ['night'],
		'lakescope/parent_dataset': 'new',
		'lakescope/parent_episode_index': 1,
		'lakescope/member_ordinal': 4,
	});
	// The ingest's own revision is over every value: what is read of the child is what was read of the parent.
	const child = await ingest(target, root);
	expect(child.messages).toEqual([]);
	expect(child.episodes.map(({revision}) => revision)).toEqual(
		parents.flatMap(({episodes}) => episodes.map(({revision}) => revision)),
	);
	expect(child.episodes.map(row => row.marker_signature)).toEqual(['reach > grasp', null, null]);
});

test('an episode that is not whole, or another than was chosen, fails it with its name, and nothing is left', async () => {
	await writeLerobotDataset(path.join(root, 'short'), {episodes: [{frames: 40}, {frames: 40, length: 60}]});
	const whole = await parent('short', [0]);
	const target = path.join(root, 'made', 'none');
	const compose = (work: ComposeWork['parents'][number]) =>
		composeDataset({target, name: 'none', left_out: [], parents: [work]}, () => undefined, undefined);
	await expect(compose(await parent('short', [0, 1]))).rejects.toThrow(
		/Episode 1 of short .* it has 40 frames where the metadata says 60/,
	);
	await writeLerobotDataset(path.join(root, 'shorter'), {
		episodes: [{frames: 40, length: 50}, {frames: 40}, {frames: 40, length: 39}],
	});
	const parents = [await parent('short', [0, 1]), await parent('shorter', [0, 1, 2])];
	await expect(
		composeDataset({target, name: 'none', left_out: [], parents}, () => undefined, undefined),
	).rejects.toThrow(
		/^3 episodes do not have the frames .*: 1 of short; 0, 2 of shorter\. Leave them out \(tier:retrainable does\)/,
	);
	const other = {...whole, episodes: [{episode_index: 0, revision: 'f'.repeat(64)}]};
	await expect(compose(other)).rejects.toThrow(/Episode 0 of short .* is not as it was ingested/);
	const gone = {...whole, episodes: [{episode_index: 9, revision: 'f'.repeat(64)}]};
	await expect(compose(gone)).rejects.toThrow(/Episode 9 of short .* does not say where it lies/);
	expect(await readdir(path.dirname(target))).toEqual([]);
});

test('a disk that takes no more ends it with the reason, and leaves nothing half-written', async () => {
	await writeLerobotDataset(path.join(root, 'large'), {episodes: [{frames: 4000}]});
	const work = {
		target: path.join(root, 'made', 'full'),
		name: 'full',
		left_out: [],
		parents: [await parent('large', [0])],
	};
	const main = path.resolve(import.meta.dirname, '../../../source/service/main.ts');
	// Files may grow to 16 kB: what lies beyond is refused, as by a full disk.
	const child = spawn('prlimit', ['--fsize=16384', process.execPath, main, 'compose'], {
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	child.stdin.end(JSON.stringify(work));
	const said = await text(child.stdout);
	expect(said).toContain('"type":"failed"');
	expect(said).not.toContain('"type":"done"');
	expect(await readdir(path.join(root, 'made'))).toEqual([]);
});

test('what differs in the embodiment is told field by field; further features are left out', () => {
	const joints = {dtype: 'float32', shape: [2], names: ['a', 'b']};
	const one = {dataset_name: 'one', robot_type: 'so101', fps: 30, features: {action: joints, timestamp: {}}};
	expect(compareParents([one, {...one, dataset_name: 'two', features: {action: joints}}])).toEqual({
		refused: [],
		leftOut: [],
	});
	const other = {
		dataset_name: 'two',
		robot_type: null,
		fps: 50,
		features: {action: {...joints, shape: [3], names: ['a', 'b', 'c']}, effort: joints},
	};
	expect(compareParents([one, other])).toEqual({
		refused: [
			'robot_type is "so101" in one and not said in two',
			'fps is 30 in one and 50 in two',
			'the shape of "action" is [2] in one and [3] in two',
		],
		leftOut: ['effort'],
	});
	const named = (names: unknown) => ({...one, dataset_name: 'two', features: {action: {...joints, names}}});
	expect(compareParents([one, named(['a', 'c'])]).refused).toEqual([
		'the name 2 of "action" is "b" in one and "c" in two',
	]);
	expect(compareParents([one, named(null)]).refused).toEqual([
		'the name 1 of "action" is "a" in one and not said in two, and 1 more of 2 differ',
	]);
	expect(compareParents([])).toEqual({refused: [], leftOut: []});
});

test.each([[[['a', 'b']]], [{motors: ['a', 'b']}], [{b: 1, a: 0}]])(
	'the same joints are of one embodiment where the other dataset spells them as %j',
	names => {
		const action = {dtype: 'float32', shape: [2], names: ['a', 'b']};
		const one = {dataset_name: 'one', robot_type: 'so101', fps: 30, features: {action}};
		const other = {...one, dataset_name: 'two', features: {action: {...action, names}}};
		expect(compareParents([one, other])).toEqual({refused: [], leftOut: []});
	},
);

test('telemetry that one of them lacks is left out, and the rest is as it was', async () => {
	// More than DuckDB hands out at once, so that looking something up does not end the stream.
	const long = [{frames: 2500}, {frames: 2500}];
	await writeLerobotDataset(path.join(root, 'with'), {telemetry: {effort: 2, load: 1}, episodes: long});
	await writeLerobotDataset(path.join(root, 'less'), {telemetry: {load: 1}});
	const target = path.join(root, 'made', 'mixed');
	const parents = [await parent('with', [0, 1]), await parent('less', [1])];
	const compose = (left_out: string[]) =>
		composeDataset({target, name: 'mixed', left_out, parents}, () => undefined, undefined);
	await expect(compose([])).rejects.toThrow(/"effort" is not the same in all of them/);
	await compose(['effort']);
	const {info, frames} = await expectRules(target);
	expect(Object.keys(info.features)).not.toContain('effort');
	const before = await readParquet(path.join(root, 'with', dataFile()));
	expect(frames.slice(0, 60).map(row => [row.action, row.load])).toEqual(
		before.slice(0, 60).map(row => [row.action, row.load]),
	);
});

test('of a camera that parents know as a whole alone, a whole is made, and that episodes have none is said', async () => {
	const stats = (mean: number) => ({
		min: [[[0]], [[0]], [[0]]],
		max: [[[1]], [[1]], [[1]]],
		mean: [[[mean]], [[mean]], [[mean]]],
		std: [[[0]], [[0]], [[0]]],
		count: [10],
	});
	for (const [name, frames, mean] of [
		['seen', 20, 0.25],
		['shown', 60, 0.75],
	] as const) {
		await writeLerobotDataset(path.join(root, name), {cameras: [top], episodes: [{frames}]});
		await writeFile(path.join(root, name, 'meta/stats.json'), JSON.stringify({[top]: stats(mean)}));
	}
	const target = path.join(root, 'made', 'seen');
	const parents = [await parent('seen', [0]), await parent('shown', [0])];
	const {camera_stats_note} = await composeDataset(
		{target, name: 'seen', left_out: [], parents},
		() => undefined,
		undefined,
	);
	expect(camera_stats_note).toMatch(/^Not every episode has statistics of the camera/);
	const written = JSON.parse(await readFile(path.join(target, 'meta/stats.json'), 'utf8'))[top];
	// Twenty values of a quarter and sixty of three: a spread that comes of the two alone.
	expect(written).toMatchObject({
		max: [[[1]], [[1]], [[1]]],
		mean: [[[0.625]], [[0.625]], [[0.625]]],
		count: [80],
	});
	expect(written.std[0]).toEqual([[expect.closeTo(Math.sqrt(3) / 8, 10)]]);
	expect(written.q99).toBeUndefined();
});
