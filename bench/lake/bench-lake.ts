import {createHash} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {heldMetrics} from '../../source/contract/metrics.ts';
import type {Publication} from '../../source/service/lake/engine.ts';

/** The content of the bench lake: sizes as a lab's are, a few large datasets beside many small ones. */
const embodiments = [
	{name: 'so101_follower-30hz-3f9a', prefix: '', dims: 6},
	{name: 'aloha-50hz-77aa', prefix: 'left_', dims: 6},
	{name: 'koch-30hz-01c2', prefix: '', dims: 6},
	{name: 'g1-60hz-9b1e', prefix: 'arm_', dims: 6},
];
const joints = [
	'gripper.pos',
	'shoulder_pan.pos',
	'shoulder_lift.pos',
	'elbow_flex.pos',
	'wrist_flex.pos',
	'wrist_roll.pos',
];
const largest = 200_000;

/** Sizes that add up to `total`: one of 200,000 where there is room, and then ever smaller ones. */
export function datasetSizes(total: number): number[] {
	const sizes: number[] = [];
	let left = total;
	let next = largest;
	while (left > 0) {
		const size = Math.min(next, left);
		sizes.push(size);
		left -= size;
		next = Math.max(1000, Math.floor(next * 0.8));
	}
	return sizes;
}

/** Stages the bench lake's datasets one after another, from nothing but their number: every run gives the same. */
export class BenchLake {
	readonly #instance: DuckDBInstance;
	readonly #connection: DuckDBConnection;
	readonly #folder: string;

	private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
		this.#instance = instance;
		this.#connection = connection;
		this.#folder = folder;
	}

	static async create(folder: string): Promise<BenchLake> {
		const instance = await DuckDBInstance.create(':memory:');
		return new BenchLake(instance, await instance.connect(), folder);
	}

	/** Writes what an ingest of dataset `number` with `episodes` episodes would hand over. */
	async stage(number: number, episodes: number): Promise<Publication> {
		const staging = path.join(this.#folder, 'staging', `dataset-${number}`);
		await mkdir(staging, {recursive: true});
		const embodiment = embodiments[number % embodiments.length] ?? embodiments[0];
		if (!embodiment) throw new RangeError('There is no embodiment.');
		await this.#copy(`${staging}/episodes.parquet`, episodeRows(number, episodes));
		await this.#copy(`${staging}/channels.parquet`, channelRows(number, episodes, embodiment));
		const description = {
			format: 'v3.0',
			robot_type: embodiment.name.split('-')[0],
			fps: 30,
			interface_hash: embodiment.name,
			subtype: 'lerobot_v3',
		};
		await writeFile(path.join(staging, 'dataset.json'), JSON.stringify(description));
		return {
			dataset_id: datasetId(number),
			dataset_name: `bench-${String(number).padStart(4, '0')}`,
			folder: staging,
			staging,
		};
	}

	async #copy(file: string, select: string): Promise<void> {
		await this.#connection.run(`COPY (${select}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
	}

	close(): void {
		this.#connection.closeSync();
		this.#instance.closeSync();
	}
}

/** The id of the bench lake's dataset `number`. */
export function datasetId(number: number): string {
	const hex = createHash('sha256').update(`dataset ${number}`).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number in [0, 1) that follows from the episode and a word alone. */
const draw = (word: string, row = 'i') => `((hash(number, ${row}, '${word}') % 1000000) / 1000000.0)`;

function episodeRows(number: number, episodes: number): string {
	const metrics = heldMetrics.map(name => `round(${draw(name)}, 4)::DOUBLE AS ${name}`);
	return `
		SELECT
			i::UINTEGER AS episode_index,
			md5(number || '/' || i)::UUID::VARCHAR AS episode_id,
			sha256(number || '/' || i) AS revision,
			'task ' || number % 11 || ': ' || ['fold the towel', 'wipe the table', 'stack the cups', 'open the drawer', 'sort the bolts'][1 + floor(5 * ${draw('task')})::INTEGER] AS task,
			CASE WHEN ${draw('tier')} < 0.9 THEN 'retrainable' WHEN ${draw('tier')} < 0.98 THEN 'analyze_only' END AS tier,
			(200 + floor(600 * ${draw('length')}))::UBIGINT AS frame_count,
			(200 + floor(600 * ${draw('length')})) / 30.0::DOUBLE AS duration_s,
			round(${draw('quality')}, 4)::DOUBLE AS quality_score,
			CASE WHEN ${draw('quality')} > 0.8 THEN 'auto_accepted' ELSE 'unreviewed' END AS review_state,
			CASE WHEN ${draw('marker')} < 0.5 THEN ['reach > grasp > place', 'reach > grasp', 'approach > fold > release'][1 + floor(3 * ${draw('which marker')})::INTEGER] END AS marker_signature,
			CASE WHEN ${draw('tag')} < 0.1 THEN ['demo'] WHEN ${draw('tag')} < 0.15 THEN ['demo', 'night'] ELSE []::VARCHAR[] END AS tags,
			CASE WHEN number % 5 = 4 THEN 'bench-0000' END AS parent_dataset,
			CASE WHEN number % 5 = 4 THEN i::INTEGER END AS parent_episode_index,
			CASE WHEN number % 5 = 4 THEN i::BIGINT END AS member_ordinal,
			${metrics.join(', ')},
			round(4 * ${draw('doubt')}, 2)::DOUBLE AS doubt,
			'{"cameras":["observation.images.front"],"tier_reasons":[]}' AS details
		FROM (SELECT i, ${number} AS number FROM range(${episodes}) t(i))`;
}

/** Twelve channels an episode: six of the action, six of the state. */
function channelRows(
	number: number,
	episodes: number,
	{prefix, dims}: {prefix: string; dims: number},
): string {
	const turned = joints.map((_, place) => joints[(place + number) % joints.length]);
	const channels = ['action', 'state'].flatMap(stream =>
		turned.slice(0, dims).map((joint, index) => `('${stream}', '${prefix}${joint}', ${index})`),
	);
	const value = (word: string) => `round(200 * ${draw(word, `i * 64 + place`)} - 100, 3)::DOUBLE`;
	return `
		SELECT
			i::UINTEGER AS episode_index, stream, channel, stream || '.' || channel AS native_channel,
			native_index::UINTEGER AS native_index,
			${value('max')} AS max, ${value('min')} AS min, ${value('mean')} AS mean, ${value('std')} AS std
		FROM (SELECT i, ${number} AS number FROM range(${episodes}) t(i)),
			(SELECT *, row_number() OVER () AS place FROM (VALUES ${channels.join(', ')}) c(stream, channel, native_index))
		ORDER BY i, place`;
}
