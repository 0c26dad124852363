import {execFile} from 'node:child_process';
import {rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {cutFooter, editInfo, garble, rewriteParquet} from '../../support/dataset-damage.ts';
import {dataFile, episodesFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {detailsOf, indicesOf, tiersOf} from './ingest-run.ts';
import {dataset, four, take} from './work-dataset.ts';

describe('a data file', () => {
	test('without its footer is named with its episodes; the other files are taken', async () => {
		await writeLerobotDataset(dataset, four);
		await cutFooter(dataset, dataFile(1));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(taken.dataset.problems).toEqual([
			{
				file: dataFile(1),
				message: `${dataFile(1)} has no parquet footer: its writing was cut off, so that episodes 2–3 are left out.`,
			},
		]);
	});

	test('that is missing is named with its episodes', async () => {
		await writeLerobotDataset(dataset, four);
		await rm(path.join(dataset, dataFile(0)));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([2, 3]);
		expect(taken.messages).toEqual([`${dataFile(0)} is missing, so that episodes 0–1 are left out.`]);
	});

	test.each([
		['empty', ''],
		['no parquet at all', 'a text file that somebody renamed'],
	])('that is %s is named', async (_, content) => {
		await writeLerobotDataset(dataset, four);
		await writeFile(path.join(dataset, dataFile(1)), content);
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(taken.messages[0]).toMatch(
			/file-001\.parquet is (empty|not a parquet file), so that episodes 2–3/,
		);
	});

	test('that is garbled in the middle yields the episodes before', async () => {
		const long = {frames: 2048};
		await writeLerobotDataset(dataset, {episodes: [long, long, long], rowGroupSize: 2048});
		const {size} = await stat(path.join(dataset, dataFile()));
		await garble(dataset, dataFile(), Math.floor(size * 0.7), Math.floor(size * 0.8));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages[0]).toMatch(/file-000\.parquet cannot be read to its end \(.+\)\.$/);
		expect(taken.messages[1]).toMatch(/^Episode 2 is not there/);
	});

	test('that is garbled within an episode yields what there is of it, to be analyzed', async () => {
		await writeLerobotDataset(dataset, {episodes: [{frames: 100}, {frames: 6000}], rowGroupSize: 2048});
		const {size} = await stat(path.join(dataset, dataFile()));
		await garble(dataset, dataFile(), Math.floor(size * 0.7), Math.floor(size * 0.8));
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.episodes[1]?.frame_count).toBe(3996n);
		expect(detailsOf(taken.episodes[1]).tier_reasons).toEqual([
			'it has 3996 frames where the metadata says 6000',
			'its file cannot be read further',
		]);
	});

	test('that is a named pipe is not waited for', async () => {
		await writeLerobotDataset(dataset, four);
		await rm(path.join(dataset, dataFile(1)));
		await promisify(execFile)('mkfifo', [path.join(dataset, dataFile(1))]);
		expect((await take()).messages).toEqual([
			`${dataFile(1)} is not a file, so that episodes 2–3 are left out.`,
		]);
	});

	test('that no metadata names is read too; whether its episodes are whole cannot be told', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, episodesFile, 'SELECT * FROM old WHERE episode_index < 2');
		await editInfo(dataset, info => Object.assign(info, {total_episodes: 2, total_frames: 120}));
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable', null, null]);
		expect(taken.dataset.problems[0]).toMatchObject({file: dataFile(1), episode_index: 2});
		expect(detailsOf(taken.episodes[2]).tier_reasons?.[0]).toMatch(/metadata does not list it/);
	});
});

describe('columns', () => {
	test('that are missing are named; the episodes stay, to be analyzed', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, dataFile(1), 'SELECT * EXCLUDE ("observation.state") FROM old');
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([`${dataFile(1)} has no column "observation.state".`]);
		expect(taken.episodes[2]).toMatchObject({frozen_state_dims: null, action_dims: 6});
		expect(taken.episodes[2]?.sparc).toBeLessThan(0);
		expect(detailsOf(taken.episodes[2]).tier_reasons).toEqual(['it has no state']);
	});

	test('without the action leave no motion to measure', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(dataset, dataFile(), 'SELECT * EXCLUDE (action) FROM old');
		const taken = await take();
		expect(taken.episodes[0]).toMatchObject({
			tier: 'analyze_only',
			sparc: null,
			quality_score: null,
			action_dims: null,
			state_dims: 6,
		});
		expect(taken.channels.some(({stream}) => stream === 'action')).toBe(false);
	});

	test('named otherwise than info.json says are found by their usual names', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * RENAME (action AS actions, "observation.state" AS state) FROM old',
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([
			`${dataFile()} spells "action" as "actions"; it was read as that.`,
			`${dataFile()} spells "observation.state" as "state"; it was read as that.`,
		]);
	});

	test('called unusually throughout are found as well', async () => {
		await writeLerobotDataset(dataset, {actionKey: 'actions', stateKey: 'state'});
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([]);
		expect(taken.channels[0]).toMatchObject({stream: 'action', native_channel: 'shoulder_pan.pos'});
	});

	test('of the frame that are missing are named: without episode_index a file cannot be read', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, dataFile(0), 'SELECT * EXCLUDE ("timestamp", frame_index) FROM old');
		await rewriteParquet(dataset, dataFile(1), 'SELECT * EXCLUDE (episode_index) FROM old');
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(taken.episodes[0]).toMatchObject({
			dt_jitter_ms: null,
			dt_dropped_frames: null,
			tier: 'retrainable',
		});
		expect(taken.messages).toEqual(
			expect.arrayContaining([
				`${dataFile(0)} has no column "frame_index".`,
				`${dataFile(0)} has no column "timestamp".`,
				`${dataFile(1)} has no column "episode_index".`,
			]),
		);
	});

	test('of texts where numbers belong are named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(dataset, dataFile(), "SELECT * REPLACE ('up' AS action) FROM old");
		const taken = await take();
		expect(taken.messages).toEqual([`${dataFile()} holds VARCHAR in column "action", not numbers.`]);
		expect(tiersOf(taken)).toEqual(['analyze_only', 'analyze_only']);
	});

	test('that info.json does not declare leave every episode to be analyzed', async () => {
		await writeLerobotDataset(dataset);
		await editInfo(dataset, info => {
			delete (info.features as Record<string, unknown>)['observation.state'];
		});
		const taken = await take();
		expect(taken.messages).toEqual([
			'meta/info.json declares no state feature; every episode is only fit to be analyzed.',
		]);
		expect(tiersOf(taken)).toEqual(['analyze_only', 'analyze_only']);
	});
});
