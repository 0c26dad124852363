import {appendFile, mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {DamageId} from '../../../source/lerobot/check/damage.ts';
import {cutFooter, editInfo, rewriteParquet} from '../../support/dataset-damage.ts';
import {writeMp4} from '../../support/mp4.ts';
import {withDuckDB} from '../../support/parquet.ts';
import {camera, dataFile, editJson, episodesFile, fps, tasksFile, videoFile} from './checked-dataset.ts';

/** A way of damaging the small dataset. */
export type Plant = {
	readonly id: DamageId;
	readonly plant: (folder: string) => Promise<unknown>;
	/** What cannot but come with it. */
	readonly with?: readonly DamageId[];
	/** What the damage says. */
	readonly says?: RegExp;
	readonly episodes?: readonly number[];
	readonly seconds?: number;
};

const data = (query: string) => (folder: string) => rewriteParquet(folder, dataFile, query);
const episodes = (query: string) => (folder: string) => rewriteParquet(folder, episodesFile, query);
const tasks = (query: string) => (folder: string) => rewriteParquet(folder, tasksFile, query);
// biome-ignore lint/suspicious/noExplicitAny: JSON that tests damage anywhere.
const info = (edit: (info: any) => void) => (folder: string) => editInfo(folder, edit);
// biome-ignore lint/suspicious/noExplicitAny: JSON that tests damage anywhere.
const stats = (edit: (stats: any) => void) => (folder: string) => editJson(folder, 'meta/stats.json', edit);
const video =
	(file: number, frames: number, more: object = {}) =>
	(folder: string) =>
		writeMp4(path.join(folder, videoFile(file)), {frames, fps, ...more});
const span = (name: string) => `"videos/${camera}/${name}"`;

async function putFile(folder: string, file: string, content = 'x'): Promise<void> {
	await mkdir(path.join(folder, path.dirname(file)), {recursive: true});
	await writeFile(path.join(folder, file), content);
}

async function swap(folder: string, one: number, other: number): Promise<void> {
	const [a, b] = [path.join(folder, videoFile(one)), path.join(folder, videoFile(other))];
	await rename(a, `${a}.moved`);
	await rename(b, a);
	await rename(`${a}.moved`, b);
}

/** Every kind that can be planted into a v3.0 dataset, one by one. */
export const plants: readonly Plant[] = [
	{id: 'info-unreadable', plant: folder => writeFile(path.join(folder, 'meta/info.json'), '{"codebase')},
	{
		id: 'parquet-without-footer',
		plant: folder => cutFooter(folder, dataFile),
		with: [],
		says: /cut off/,
	},
	{
		id: 'parquet-unreadable',
		plant: async folder => {
			const file = path.join(folder, dataFile);
			const content = await readFile(file);
			content.fill(0xff, content.length - 200, content.length - 12);
			await writeFile(file, content);
		},
	},
	{
		id: 'version-mixed',
		plant: async folder => {
			await rename(path.join(folder, dataFile), path.join(folder, 'data/chunk-000/episode_000000.parquet'));
		},
		with: ['data-file-stray', 'episode-file-wrong', 'episode-without-frames'],
	},
	{
		id: 'total-episodes-wrong',
		plant: info(json => (json.total_episodes = 6)),
		says: /says total_episodes 6, and there are 5/,
	},
	{id: 'total-frames-wrong', plant: info(json => (json.total_frames = 100)), says: /100, and there are 101/},
	{id: 'total-tasks-wrong', plant: info(json => (json.total_tasks = 3))},
	{id: 'splits-wrong', plant: info(json => (json.splits = {train: '0:9'})), says: /0:9/},
	{
		id: 'feature-shape-differs',
		plant: info(json => {
			json.features.action.shape = [3];
			json.features.action.names = ['a', 'b', 'c'];
		}),
		with: ['stats-width-wrong', 'episode-stats-wrong'],
	},
	{id: 'feature-column-missing', plant: data('SELECT * EXCLUDE ("observation.state") FROM old')},
	{id: 'column-undeclared', plant: data('SELECT *, 1.5::FLOAT AS effort FROM old'), says: /"effort"/},
	{id: 'feature-names-count', plant: info(json => json.features.action.names.pop())},
	{id: 'camera-names-missing', plant: info(json => (json.features[camera].names = null))},
	{id: 'camera-shape-differs', plant: video(1, 20, {width: 96}), episodes: [2], says: /96 × 48/},
	{id: 'video-codec-differs', plant: video(1, 20, {fourcc: 'avc1'}), episodes: [2]},

	{id: 'tasks-missing', plant: folder => rm(path.join(folder, tasksFile))},
	{id: 'task-order', plant: tasks('SELECT * FROM old ORDER BY task_index DESC')},
	{
		id: 'task-null',
		plant: tasks('SELECT task_index, CASE WHEN task_index = 0 THEN task END AS task FROM old'),
	},
	{
		id: 'task-texts-similar',
		plant: async folder => {
			await tasks(`SELECT * FROM old UNION ALL SELECT 2, 'Open the drawr.'`)(folder);
			await data(
				'SELECT * REPLACE (CASE WHEN episode_index = 3 THEN 2 ELSE task_index END AS task_index) FROM old',
			)(folder);
			await episodes(
				`SELECT * REPLACE (CASE WHEN episode_index = 3 THEN ['Open the drawr.'] ELSE tasks END AS tasks) FROM old`,
			)(folder);
			await info(json => (json.total_tasks = 3))(folder);
		},
		with: ['stats-index-stale', 'episode-stats-wrong'],
		says: /a letter, as a typo does/,
	},
	{
		id: 'task-text-twice',
		plant: tasks(`SELECT task_index, 'Open the drawer.' AS task FROM old`),
		with: ['episode-tasks-differ'],
	},
	{
		id: 'task-unused',
		plant: async folder => {
			await tasks(`SELECT * FROM old UNION ALL SELECT 2, 'Wave.'`)(folder);
			await info(json => (json.total_tasks = 3))(folder);
		},
		says: /"Wave\."/,
	},
	{
		id: 'task-index-unknown',
		plant: data(
			'SELECT * REPLACE (CASE WHEN episode_index = 4 THEN 7 ELSE task_index END AS task_index) FROM old',
		),
		with: ['stats-index-stale', 'episode-stats-wrong'],
		episodes: [4],
	},
	{
		id: 'episode-tasks-differ',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 2 THEN ['Open the drawer.'] ELSE tasks END AS tasks) FROM old`,
		),
		episodes: [2],
	},

	{id: 'episodes-missing', plant: folder => rm(path.join(folder, 'meta/episodes'), {recursive: true})},
	{
		id: 'episode-gap',
		plant: async folder => {
			await data(
				'SELECT * REPLACE (CASE WHEN episode_index > 2 THEN episode_index + 1 ELSE episode_index END AS episode_index) FROM old',
			)(folder);
			await episodes(
				'SELECT * REPLACE (CASE WHEN episode_index > 2 THEN episode_index + 1 ELSE episode_index END AS episode_index) FROM old',
			)(folder);
		},
		with: ['stats-index-stale', 'episode-stats-wrong'],
		episodes: [4, 5],
	},
	{
		id: 'episode-order',
		plant: episodes('SELECT * FROM old ORDER BY episode_index = 1, episode_index'),
		episodes: [1],
	},
	{
		id: 'episode-listed-twice',
		plant: episodes('SELECT * FROM old UNION ALL SELECT * FROM old WHERE episode_index = 4'),
		with: ['video-spans-overlap', 'video-frames-missing'],
		episodes: [4],
	},
	{
		id: 'episode-duplicated',
		plant: async folder => {
			// Episode 3 with the first 24 frames of episode 4, which is cut to as many.
			await data(`SELECT a.* REPLACE (b.action AS action, b."observation.state" AS "observation.state") FROM
				(SELECT * FROM old WHERE NOT (episode_index = 4 AND frame_index > 23)) a JOIN old b
				ON b.frame_index = a.frame_index AND b.episode_index = CASE WHEN a.episode_index = 3 THEN 4 ELSE a.episode_index END ORDER BY a."index"`)(
				folder,
			);
		},
		with: [
			'stats-index-stale',
			'episode-stats-wrong',
			'total-frames-wrong',
			'episode-length-wrong',
			'episode-bounds-wrong',
			'video-frames-extra',
			'video-span-length',
			'stats-count-wrong',
			'stats-mean-wrong',
			'stats-range-wrong',
			'stats-quantiles-wrong',
		],
		episodes: [3, 4],
	},
	{
		id: 'episode-length-wrong',
		plant: episodes(
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN 14 ELSE length END AS length) FROM old',
		),
		episodes: [1],
		says: /14 frames, and has 15/,
	},
	{
		id: 'episode-bounds-wrong',
		plant: episodes('SELECT * REPLACE (dataset_from_index + 2 AS dataset_from_index) FROM old'),
		episodes: [0, 1, 2, 3, 4],
	},
	{
		id: 'episode-file-wrong',
		plant: async folder => {
			await putFile(folder, 'data/chunk-000/file-001.parquet');
			await withDuckDB(connection =>
				connection.run(
					`COPY (SELECT * FROM read_parquet('${path.join(folder, dataFile)}') LIMIT 0) TO '${path.join(folder, 'data/chunk-000/file-001.parquet')}' (FORMAT parquet)`,
				),
			);
			await episodes(
				'SELECT * REPLACE (CASE WHEN episode_index = 4 THEN 1 ELSE "data/file_index" END AS "data/file_index") FROM old',
			)(folder);
		},
		episodes: [4],
	},
	{
		id: 'episode-unlisted',
		plant: episodes('SELECT * FROM old WHERE episode_index <> 4'),
		with: ['total-episodes-wrong', 'splits-wrong', 'video-unused'],
		episodes: [4],
	},
	{
		id: 'episode-without-frames',
		plant: data('SELECT * FROM old WHERE episode_index <> 4'),
		with: [
			'total-frames-wrong',
			'stats-count-wrong',
			'stats-mean-wrong',
			'stats-range-wrong',
			'stats-index-stale',
			'stats-quantiles-wrong',
		],
		episodes: [4],
	},
	{
		id: 'episode-scattered',
		plant: data(
			'SELECT * FROM old ORDER BY CASE WHEN episode_index < 2 THEN frame_index ELSE 100 END, "index"',
		),
		with: ['index-wrong'],
		episodes: [0, 1],
	},

	{
		id: 'timestamps-drift',
		plant: data('SELECT * REPLACE ((timestamp * 1.0005)::FLOAT AS timestamp) FROM old'),
		with: ['stats-index-stale', 'episode-stats-wrong'],
		says: /×1\.0005/,
		episodes: [0, 1, 2, 3, 4],
	},
	{
		id: 'timestamps-shifted',
		plant: data(
			'SELECT * REPLACE (CASE WHEN episode_index = 2 THEN (timestamp + 0.5)::FLOAT ELSE timestamp END AS timestamp) FROM old',
		),
		with: ['stats-index-stale', 'episode-stats-wrong'],
		episodes: [2],
		says: /begins at 0\.5 s/,
	},
	{
		id: 'timestamps-uneven',
		plant: data(
			'SELECT * REPLACE (CASE WHEN episode_index = 3 AND frame_index = 7 THEN (timestamp + 0.01)::FLOAT ELSE timestamp END AS timestamp) FROM old',
		),
		with: ['episode-stats-wrong', 'stats-index-stale'],
		episodes: [3],
		seconds: 0.7,
	},
	{
		id: 'frame-index-wrong',
		plant: data(
			'SELECT * REPLACE (CASE WHEN episode_index = 3 THEN frame_index + 1 ELSE frame_index END AS frame_index) FROM old',
		),
		with: ['stats-index-stale', 'episode-stats-wrong'],
		episodes: [3],
		says: /begins at 1/,
	},
	{
		id: 'index-wrong',
		plant: data(
			'SELECT * REPLACE (CASE WHEN "index" > 50 THEN "index" + 1 ELSE "index" END AS "index") FROM old',
		),
		with: ['stats-index-stale', 'episode-stats-wrong'],
	},
	{
		id: 'values-not-finite',
		plant: data(
			`SELECT * REPLACE (CASE WHEN "index" = 60 THEN ['NaN'::FLOAT, 1::FLOAT] ELSE action END AS action) FROM old`,
		),
		with: ['stats-count-wrong', 'stats-mean-wrong', 'stats-range-wrong', 'episode-stats-wrong'],
		episodes: [3],
		seconds: 1.3,
	},

	{id: 'stats-missing', plant: folder => rm(path.join(folder, 'meta/stats.json'))},
	{id: 'stats-unreadable', plant: folder => appendFile(path.join(folder, 'meta/stats.json'), '}')},
	{id: 'stats-camera-missing', plant: stats(json => delete json[camera])},
	{id: 'stats-feature-missing', plant: stats(json => delete json.action), says: /"action"/},
	{id: 'stats-incomplete', plant: stats(json => delete json.action.std), says: /lacks std/},
	{
		id: 'stats-quantiles-missing',
		plant: stats(json => {
			for (const name of ['q01', 'q10', 'q50', 'q90', 'q99']) delete json.action[name];
		}),
	},
	{id: 'stats-width-wrong', plant: stats(json => json.action.mean.push(0))},
	{id: 'stats-mean-wrong', plant: stats(json => (json.action.mean[1] += 0.05)), says: /dimension 1/},
	{id: 'stats-range-wrong', plant: stats(json => (json['observation.state'].max[0] *= 2))},
	{id: 'stats-quantiles-wrong', plant: stats(json => (json.action.q99[0] = 0)), says: /q99/},
	{id: 'stats-count-wrong', plant: stats(json => (json.action.count = [50]))},
	{
		id: 'stats-camera-implausible',
		plant: stats(json => (json[camera].mean = [[[120]], [[110]], [[100]]])),
		says: /120/,
	},
	{id: 'stats-index-stale', plant: stats(json => (json.index.max = [9]))},
	{
		id: 'episode-stats-missing',
		plant: episodes("SELECT COLUMNS(name -> NOT starts_with(name, 'stats/action/')) FROM old"),
	},
	{
		id: 'episode-stats-missing',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 1 THEN [[[0.1]], [[0.2]]] ELSE "stats/${camera}/mean" END AS "stats/${camera}/mean") FROM old`,
		),
		episodes: [1],
		says: /has 2 values of mean, not 3 in the statistics of their own, which count as missing/,
	},
	{
		id: 'episode-stats-wrong',
		plant: episodes(
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN [9.0, 9.0] ELSE "stats/action/mean" END AS "stats/action/mean") FROM old',
		),
		episodes: [1],
	},

	{id: 'video-missing', plant: folder => rm(path.join(folder, videoFile(2))), episodes: [3]},
	{id: 'video-unreadable', plant: folder => writeFile(path.join(folder, videoFile(2)), ''), episodes: [3]},
	{
		id: 'video-unlisted',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 4 THEN NULL ELSE ${span('file_index')} END AS ${span('file_index')}) FROM old`,
		),
		with: ['video-unused'],
		episodes: [4],
	},
	{
		id: 'video-span-past-end',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 4 THEN 2.0 ELSE ${span('from_timestamp')} END AS ${span('from_timestamp')}, CASE WHEN episode_index = 4 THEN 5.0 ELSE ${span('to_timestamp')} END AS ${span('to_timestamp')}) FROM old`,
		),
		with: ['video-spans-apart'],
		episodes: [4],
		seconds: 2,
	},
	{
		id: 'video-spans-overlap',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 1 THEN 1.0 ELSE ${span('from_timestamp')} END AS ${span('from_timestamp')}, CASE WHEN episode_index = 1 THEN 2.5 ELSE ${span('to_timestamp')} END AS ${span('to_timestamp')}) FROM old`,
		),
		episodes: [1],
	},
	{
		id: 'video-spans-apart',
		plant: folder =>
			Promise.all([
				video(1, 30)(folder),
				episodes(
					`SELECT * REPLACE (CASE WHEN episode_index = 2 THEN 1.0 ELSE ${span('from_timestamp')} END AS ${span('from_timestamp')}, CASE WHEN episode_index = 2 THEN 3.0 ELSE ${span('to_timestamp')} END AS ${span('to_timestamp')}) FROM old`,
				)(folder),
			]),
		episodes: [2],
	},
	{
		id: 'video-span-length',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 4 THEN 2.7 ELSE ${span('to_timestamp')} END AS ${span('to_timestamp')}) FROM old`,
		),
		episodes: [4],
		says: /2\.7 s/,
	},
	{
		id: 'video-span-off-grid',
		plant: episodes(
			`SELECT * REPLACE (CASE WHEN episode_index = 1 THEN 1.22 ELSE ${span('from_timestamp')} END AS ${span('from_timestamp')}) FROM old`,
		),
		episodes: [1],
	},
	{
		id: 'video-frames-missing',
		plant: video(3, 25),
		with: ['video-span-past-end'],
		episodes: [4],
		says: /25 frames, and its episodes 30/,
	},
	{id: 'video-frames-extra', plant: video(3, 44), episodes: [4]},
	{id: 'video-rate-differs', plant: video(3, 30, {fps: 15}), episodes: [4]},
	{
		id: 'video-rate-varies',
		plant: video(3, 30, {
			stretches: [
				{frames: 11, ticks: 1536},
				{frames: 1, ticks: 2000},
				{frames: 18, ticks: 1536},
			],
		}),
		episodes: [4],
		seconds: 1.2,
	},
	{
		id: 'videos-swapped',
		plant: folder => swap(folder, 2, 3),
		with: ['video-span-past-end'],
		episodes: [3, 4],
	},
	{
		id: 'videos-shifted',
		plant: async folder => {
			await swap(folder, 0, 1);
			await swap(folder, 1, 2);
			await swap(folder, 2, 3);
		},
		with: ['video-span-past-end'],
		says: /file-000\.mp4 on/,
	},

	{
		id: 'data-file-stray',
		plant: folder =>
			withDuckDB(async connection => {
				await connection.run(
					`COPY (SELECT 1 AS x) TO '${path.join(folder, 'data/chunk-000/notes.parquet')}' (FORMAT parquet)`,
				);
			}),
		with: ['feature-column-missing', 'column-undeclared'],
	},
	{id: 'video-unused', plant: folder => writeMp4(path.join(folder, videoFile(7)), {frames: 5})},
	{
		id: 'leftover-images',
		plant: folder => putFile(folder, `images/${camera}/episode-000005/frame-000000.png`),
	},
	{id: 'leftover-temporary', plant: folder => putFile(folder, `tmpa1b2c3d4/${camera}_005.mp4`)},
	{id: 'leftover-old-copy', plant: folder => putFile(`${folder}_old`, 'meta/info.json')},
	{
		id: 'progress-wrong',
		plant: folder =>
			withDuckDB(connection =>
				connection.run(
					`COPY (SELECT "index" + 3 AS "index", episode_index, frame_index, 0.5::FLOAT AS progress_sparse FROM read_parquet('${path.join(folder, dataFile)}')) TO '${path.join(folder, 'robometer_progress.parquet')}' (FORMAT parquet)`,
				),
			),
	},
];
