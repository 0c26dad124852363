import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {ingestRewardProgress} from '../../../source/service/ingest/ingest-reward-progress.ts';
import {Reporter} from '../../../source/service/workers/reporter.ts';
import {cutFooter} from '../../support/dataset-damage.ts';
import {risingProgress, writeProgress} from '../../support/reward-progress.ts';
import {readStaging, requestFor, workFolder} from './ingest-run.ts';

let folder: Awaited<ReturnType<typeof workFolder>>;
beforeEach(async () => {
	folder = await workFolder();
});
afterEach(() => folder.remove());

async function take() {
	const staging = await mkdtemp(path.join(folder.root, 'staging-'));
	const file = path.join(folder.dataset, 'sarm_progress.parquet');
	await ingestRewardProgress(requestFor(file, staging), new Reporter(() => {}));
	return readStaging(staging);
}

describe('sarm_progress', () => {
	test('says its rows, episodes, heads and model, and brings no episodes', async () => {
		await writeProgress(folder.dataset, risingProgress, {reward_model_path: 'lab/sarm_towels'});
		const taken = await take();
		expect(taken.episodes).toEqual([]);
		expect(taken.dataset).toMatchObject({
			subtype: 'sarm_progress',
			metadata: {
				rows: 100,
				episodes: 2,
				heads: ['sparse', 'dense'],
				progress: {
					sparse: {count: 98, nan: 2, min: expect.closeTo(1 / 49), max: 1},
					dense: {count: 100, nan: 0, min: 0, max: 0.5},
				},
				reward_model_path: 'lab/sarm_towels',
			},
			problems: [],
		});
	});

	test('may have one head, and no word on its model', async () => {
		await writeProgress(folder.dataset, `SELECT * EXCLUDE (progress_sparse) FROM (${risingProgress})`);
		expect((await take()).dataset.metadata).toMatchObject({heads: ['dense'], reward_model_path: null});
	});

	test('out of 0–1 is named by its episode; NaN is not', async () => {
		await writeProgress(
			folder.dataset,
			`SELECT * REPLACE (CASE WHEN i = 60 THEN 1.5 WHEN i = 61 THEN -0.25 WHEN i = 62 THEN 'inf' ELSE progress_sparse
				END::FLOAT AS progress_sparse) FROM (${risingProgress.replace('SELECT', 'SELECT i,')})`,
		);
		expect((await take()).dataset.problems).toEqual([
			{
				file: 'sarm_progress.parquet',
				episode_index: 1,
				message: 'Episode 1: 3 values of progress_sparse out of 0–1, from -0.25 to Infinity.',
			},
		]);
	});

	test('of frames twice, or of none, is named', async () => {
		await writeProgress(folder.dataset, `${risingProgress} UNION ALL (${risingProgress} LIMIT 3)`);
		expect((await take()).messages).toEqual([
			'sarm_progress.parquet has 3 rows of frames that it holds already.',
		]);
		await writeProgress(folder.dataset, `${risingProgress} UNION ALL SELECT 100, NULL, 0, 0, 0`);
		expect((await take()).messages).toEqual([
			'sarm_progress.parquet has 1 rows without an index, episode_index or frame_index.',
		]);
	});

	test.each([
		['has no index', `SELECT * EXCLUDE ("index") FROM (${risingProgress})`, /it has no column "index"/],
		['has no head', 'SELECT 1 AS "index", 1 AS episode_index, 1 AS frame_index', /neither "progress_sparse"/],
	])('that %s is refused', async (_, rows, expected) => {
		await writeProgress(folder.dataset, rows);
		await expect(take()).rejects.toThrow(expected);
	});

	test('that is broken, elsewhere or no parquet is refused by its name', async () => {
		const file = await writeProgress(folder.dataset, risingProgress);
		await cutFooter(folder.dataset, 'sarm_progress.parquet');
		await expect(take()).rejects.toThrow(`${file} cannot be read: it has no parquet footer`);
		await writeFile(file, 'no parquet at all');
		await expect(take()).rejects.toThrow(`${file} cannot be read: it is not a parquet file`);
		await rm(file);
		await expect(take()).rejects.toThrow(`${file} cannot be read: it is missing`);
		await mkdir(path.join(folder.root, 'other'));
		await symlink(await writeProgress(path.join(folder.root, 'other'), risingProgress), file);
		await expect(take()).rejects.toThrow(`${file} cannot be read: it leads out of its folder`);
	});
});
