import {cp} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {dataFile, episodesFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {indicesOf, tiersOf} from './ingest-run.ts';
import {dataset, four, take} from './work-dataset.ts';

describe('an episode', () => {
	test('whose action never moves is named and kept for analysis', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {action: () => 12.5, state: frame => frame}]});
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.dataset.problems).toEqual([
			{
				file: dataFile(),
				episode_index: 1,
				message: 'Episode 1: never moves: 6 of 6 dims frozen.',
			},
		]);
		expect(taken.episodes[1]).toMatchObject({
			frozen_action_dims: 6,
			frozen_state_dims: 0,
			quality_score: null,
		});
	});

	test('that is counted by the metadata and is nowhere is named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			episodesFile,
			'FROM old UNION ALL SELECT * REPLACE (7 AS episode_index) FROM old WHERE episode_index = 1',
		);
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(taken.dataset.problems).toEqual([
			{file: 'meta/info.json', message: 'meta/info.json counts 2 episodes, meta/episodes lists 3.'},
			{
				file: dataFile(),
				episode_index: 7,
				message: `Episode 7 is not there: meta/episodes lists it, but ${dataFile()} holds no frame of it.`,
			},
		]);
	});

	test('of another length than the metadata says is named with both', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {frames: 50, length: 64}]});
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toContain('Episode 1: it has 50 frames where the metadata says 64.');
		expect(taken.totalFrames).toBe(110);
	});

	test('with NaN or infinite values keeps the figures that do not need them', async () => {
		await writeLerobotDataset(dataset, {
			episodes: [
				{},
				{
					action: (frame, dim) => (frame === 9 && dim === 2 ? Number.NaN : Math.sin(frame + dim)),
					state: frame => frame,
				},
				{state: (frame, dim) => (frame === 3 && dim === 0 ? Infinity : frame)},
			],
		});
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([
			'Episode 1: its "action" holds NaN, infinite or empty values.',
			'Episode 2: its "observation.state" holds NaN, infinite or empty values.',
		]);
		expect(taken.episodes[1]).toMatchObject({
			speed_mean: null,
			sparc: null,
			quality_score: null,
			action_dims: 6,
		});
		expect(taken.episodes[2]?.sparc).toBeLessThan(0);
		for (const row of taken.channels) {
			for (const figure of ['max', 'min', 'mean', 'std']) expect(Number.isFinite(row[figure])).toBe(true);
		}
		const elbow = taken.channels.find(
			({episode_index, channel, stream}) =>
				episode_index === 1 && stream === 'action' && channel === 'elbow_flex.pos',
		);
		expect(elbow?.max).toBeLessThanOrEqual(1);
	});

	test('with frames of null or of another width is named with their number', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN episode_index = 1 AND frame_index IN (4, 5) THEN NULL
				WHEN episode_index = 1 AND frame_index = 6 THEN [1::FLOAT] ELSE action END AS action) FROM old`,
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toEqual(['Episode 1: 3 of its frames hold no 6 values of "action".']);
	});

	test('with an empty value inside a frame is not whole', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN index = 70 THEN [action[1], NULL, action[3], action[4], action[5], action[6]]
				ELSE action END AS action) FROM old`,
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toEqual(['Episode 1: its "action" holds NaN, infinite or empty values.']);
	});

	test('with a frame twice or a frame missing is named by the frame', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {}, {}]});
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN episode_index = 1 AND frame_index = 30 THEN 29
				WHEN episode_index = 2 AND frame_index >= 40 THEN frame_index + 5 ELSE frame_index END AS frame_index) FROM old`,
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([
			'Episode 1: its frame_index repeats or goes back: 29 where 30 was expected.',
			'Episode 2: its frame_index leaves a gap: 45 where 40 was expected.',
		]);
	});

	test('that comes twice in the data counts once', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(
			dataset,
			dataFile(1),
			'FROM old UNION ALL SELECT * REPLACE (2 AS episode_index) FROM old WHERE episode_index = 3',
		);
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1, 2, 3]);
		expect(taken.totalFrames).toBe(240);
		expect(taken.messages).toEqual(['Episode 2: 60 more frames of it follow elsewhere; they are left out.']);
	});

	test('whose frames lie in a file that the metadata does not mean is taken from the one it means', async () => {
		await writeLerobotDataset(dataset, four);
		await cp(path.join(dataset, dataFile(1)), path.join(dataset, dataFile(0)));
		await cp(path.join(dataset, dataFile(1)), path.join(dataset, dataFile(2)));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([2, 3]);
		expect(taken.messages).toContain(
			`Episode 2: 60 frames of it lie here, but meta/episodes places it in ${dataFile(1)}; they are left out.`,
		);
	});

	test('whose global index is out of order stays whole and is named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN "index" + 10 ELSE "index" END AS "index") FROM old',
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual(['Episode 1: its index begins at 70 where the metadata says 60.']);
	});

	test('with an index that no episode can have is left out', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN -5 ELSE episode_index END AS episode_index) FROM old',
		);
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0]);
		expect(taken.messages[0]).toBe(
			'Episode -5: 60 frames have this index, which no episode can have; they are left out.',
		);
	});
});

test('timestamps that jump are dropped frames', async () => {
	await writeLerobotDataset(dataset, {episodes: [{timestamp: frame => (frame + (frame > 20 ? 3 : 0)) / 30}]});
	const taken = await take();
	expect(taken.episodes[0]).toMatchObject({dt_dropped_frames: 3, tier: 'retrainable'});
	expect(taken.episodes[0]?.dt_jitter_ms).toBeGreaterThan(1);
});

test('a dataset of no episodes is refused: it would take the place of one whose files were lost', async () => {
	await writeLerobotDataset(dataset, {episodes: []});
	await expect(take()).rejects.toThrow(`${dataset} holds no episode`);
});
