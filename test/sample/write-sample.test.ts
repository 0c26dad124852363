import {mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {plantedFaults, type SampleDataset, sampleDatasets} from '../../source/sample/datasets.ts';
import {writeSample} from '../../source/sample/write-sample.ts';
import {findEncoder} from '../../source/service/ffmpeg/encode-video.ts';
import {openQuery, type Query} from '../lerobot/write-support.ts';

let query: Query;
let close: () => void;
/** The whole sample, written once. */
let sample: string;
const progress: {done: number; total: number; datasetName: string}[] = [];

beforeAll(async () => {
	({query, close} = await openQuery());
	sample = await mkdtemp(path.join(tmpdir(), 'lakescope-sample-'));
	await writeSample(sample, {
		encoder: await findEncoder(),
		onProgress: (done, total, datasetName) => progress.push({done, total, datasetName}),
	});
});

afterAll(async () => {
	close();
	await rm(sample, {recursive: true, force: true});
});

const metadata = ({name}: SampleDataset) => `'${sample}/${name}/meta/episodes/*/*.parquet'`;
const frames = ({name}: SampleDataset) => `'${sample}/${name}/data/*/*.parquet'`;
const dataset = (name: string): SampleDataset => {
	const found = sampleDatasets.find(candidate => candidate.name === name);
	if (!found) throw new Error(`no dataset ${name}`);
	return found;
};
const withFault = (fault: string) =>
	sampleDatasets.flatMap(each =>
		[...plantedFaults(each)].filter(([, planted]) => planted === fault).map(([index]) => ({each, index})),
	);

describe('the written sample', () => {
	test('has every dataset, about 1,500 episodes and half a million frames, in some 70 MB', async () => {
		expect((await readdir(sample)).sort()).toEqual(sampleDatasets.map(({name}) => name).sort());
		let total = 0;
		let bytes = 0;
		for (const {name, episodes} of sampleDatasets) {
			const info = JSON.parse(await readFile(path.join(sample, name, 'meta/info.json'), 'utf8'));
			expect(info.total_episodes).toBe(episodes);
			total += info.total_frames;
		}
		for (const entry of await readdir(sample, {recursive: true, withFileTypes: true})) {
			if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
		}
		expect(total).toBeGreaterThan(450_000);
		expect(total).toBeLessThan(560_000);
		expect(bytes).toBeLessThan(90e6);
	});

	test('tells its progress episode by episode, to the end', () => {
		const total = sampleDatasets.reduce((sum, each) => sum + each.episodes, 0);
		expect(progress.at(-1)).toEqual({done: total, total, datasetName: sampleDatasets.at(-1)?.name});
		expect(progress[0]).toEqual({done: 1, total, datasetName: sampleDatasets[0]?.name});
		expect(progress.every(({done}, place) => done >= (progress[place - 1]?.done ?? 0))).toBe(true);
	});

	test('says in every card that it is simulated, and what its pictures are', async () => {
		for (const {name} of sampleDatasets) {
			const card = await readFile(path.join(sample, name, 'README.md'), 'utf8');
			expect(card).toContain('Sample data, simulated by lakescope');
			expect(card).toContain('drawn from the simulated joints');
		}
	});

	test('tags every episode as a sample', async () => {
		for (const each of sampleDatasets) {
			expect(
				await query(
					`SELECT count(*) AS n FROM ${metadata(each)} WHERE list_contains("lakescope/tags", 'sample')`,
				),
			).toEqual([{n: each.episodes}]);
		}
	});

	test('keeps the rules of the format: indices, times, lengths, files', async () => {
		for (const each of sampleDatasets) {
			const {fps} = each.program.robot;
			const truncated = [...plantedFaults(each)]
				.filter(([, fault]) => fault === 'truncated')
				.map(([index]) => index);
			const gapped = [...plantedFaults(each)]
				.filter(([, fault]) => fault === 'dropped frames')
				.map(([index]) => index);
			const list = (indices: readonly number[]) => `(${[-1, ...indices].join(', ')})`;
			expect(
				await query(
					`WITH owned AS (
						SELECT episode_index, count(*) AS frames, min(index) AS low, max(index) AS high, min(frame_index) AS first,
							max(frame_index) AS last, max(abs("timestamp" - frame_index / ${fps}.0)) AS late
						FROM ${frames(each)} GROUP BY episode_index)
					SELECT episode_index FROM ${metadata(each)} JOIN owned USING (episode_index) WHERE
						low != dataset_from_index OR first != 0
						OR (episode_index NOT IN ${list(truncated)} AND (frames != length OR high + 1 != dataset_to_index OR last + 1 != length))
						OR (episode_index NOT IN ${list(gapped)} AND late > 1e-4)`,
				),
				each.name,
			).toEqual([]);
			const [whole] = await query(
				`SELECT count(*) AS episodes, max(dataset_to_index) AS after, sum(length) AS frames FROM ${metadata(each)}`,
			);
			expect(whole?.episodes).toBe(each.episodes);
			expect(whole?.after).toBe(whole?.frames);
		}
	});

	test('has datasets of several data files and all of several episodes a file', async () => {
		const files = await readdir(path.join(sample, 'so101-stack-blocks-1', 'data/chunk-000'));
		expect(files.length).toBeGreaterThan(2);
		for (const each of sampleDatasets) {
			const [fewest] = await query(
				`SELECT min(n) AS n FROM (SELECT count(DISTINCT episode_index) AS n FROM read_parquet(${frames(each)}, filename = true) GROUP BY filename)`,
			);
			expect(Number(fewest?.n)).toBeGreaterThan(1);
		}
	});

	test('lacks the last frames of truncated episodes that its metadata counts', async () => {
		const planted = withFault('truncated');
		expect(planted.length).toBeGreaterThan(0);
		for (const {each, index} of planted) {
			const [row] = await query(
				`SELECT any_value(length) AS length, count(*) AS frames, max(frame_index) AS last
				FROM ${metadata(each)} JOIN ${frames(each)} USING (episode_index) WHERE episode_index = ${index}`,
			);
			expect(Number(row?.frames)).toBeLessThan(Number(row?.length));
			expect(Number(row?.frames)).toBe(Number(row?.last) + 1);
		}
	});

	test('has gaps in its timestamps and cameras out of step where they are planted, and nowhere else', async () => {
		for (const each of sampleDatasets) {
			const {fps, cameras} = each.program.robot;
			const faults = plantedFaults(each);
			const planted = (fault: string) =>
				[...faults]
					.filter(([, found]) => found === fault)
					.map(([index]) => index)
					.sort((a, b) => a - b);
			const gaps = await query(
				`SELECT DISTINCT episode_index FROM (SELECT episode_index, "timestamp" - lag("timestamp") OVER (PARTITION BY episode_index ORDER BY frame_index) AS dt FROM ${frames(each)})
				WHERE dt > 1.5 / ${fps} ORDER BY episode_index`,
			);
			expect(gaps.map(row => row.episode_index)).toEqual(planted('dropped frames'));
			const apart = Object.keys(cameras).map(
				key => `abs("videos/${key}/to_timestamp" - "videos/${key}/from_timestamp" - length / ${fps}.0) > 0.2`,
			);
			const late = await query(
				`SELECT episode_index FROM ${metadata(each)} WHERE ${apart.join(' OR ')} ORDER BY episode_index`,
			);
			expect(late.map(row => row.episode_index)).toEqual(planted('camera out of step'));
		}
	});

	test('names the parent of every child, an episode that is there', async () => {
		const child = dataset('so101-pick-cube-1-augmented');
		expect(
			await query(
				`SELECT DISTINCT c."lakescope/parent_dataset" AS parent, p.episode_index IS NOT NULL AS found
				FROM ${metadata(child)} c LEFT JOIN ${metadata(dataset('so101-pick-cube-1'))} p
				ON p.episode_index = c."lakescope/parent_episode_index"`,
			),
		).toEqual([{parent: 'so101-pick-cube-1', found: true}]);
		expect(
			await query(
				`SELECT "lakescope/member_ordinal" AS member, count(*) AS n FROM ${metadata(child)} GROUP BY ALL ORDER BY ALL`,
			),
		).toEqual([
			{member: 0, n: 75},
			{member: 1, n: 75},
		]);
	});

	test('trims children to less than their parents', async () => {
		const [row] = await query(
			`SELECT count(*) AS n, count(*) FILTER (c.length < p.length) AS shorter
			FROM ${metadata(dataset('so101-fold-towel-1-trimmed'))} c JOIN ${metadata(dataset('so101-fold-towel-1'))} p
			ON p.episode_index = c."lakescope/parent_episode_index"`,
		);
		expect(row?.n).toBe(75);
		expect(row?.shorter).toBe(75);
	});

	test('marks subtasks: several signatures, and some episodes unmarked', async () => {
		const rows = await query(
			`SELECT array_to_string(sparse_subtask_names, ' > ') AS markers, count(*) AS n
			FROM ${metadata(dataset('so101-fold-towel-1'))} GROUP BY ALL`,
		);
		const counts = new Map(rows.map(row => [row.markers, Number(row.n)]));
		expect(counts.get('reach > grasp > fold > release')).toBeGreaterThan(80);
		expect(counts.get('reach > grasp > reach > grasp > fold > release')).toBeGreaterThan(0);
		expect(counts.get(null)).toBeGreaterThan(0);
		expect(
			await query(
				`SELECT subtask FROM '${sample}/so101-stack-blocks-1/meta/subtasks.parquet' ORDER BY subtask_index`,
			),
		).toEqual(['reach', 'grasp', 'stack', 'release'].map(subtask => ({subtask})));
	});

	test('has telemetry of plausible load and temperature', async () => {
		const [row] = await query(
			`SELECT min(list_min("observation.temperature")) AS coldest, max(list_max("observation.temperature")) AS hottest,
			max(list_max("observation.effort")) AS effort FROM ${frames(dataset('so101-pick-cube-2'))}`,
		);
		expect(Number(row?.coldest)).toBeGreaterThan(25);
		expect(Number(row?.hottest)).toBeLessThan(60);
		expect(Number(row?.effort)).toBeGreaterThan(20);
		expect(Number(row?.effort)).toBeLessThanOrEqual(100);
	});
});
