import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {type ExploreRequest, exploreRequest} from '../source/contract/explore.ts';
import {Database} from '../source/service/lake/duckdb/database.ts';
import {explore} from '../source/service/lake/duckdb/explore.ts';
import {publish} from '../source/service/lake/duckdb/publish.ts';
import {prepareSchema} from '../source/service/lake/duckdb/schema.ts';
import {BenchLake, datasetId, datasetSizes} from './lake/bench-lake.ts';
import {printRow} from './row.ts';

const episodes = 1_000_000;
const rounds = 25;

type Form = {what: string; request: ExploreRequest};

/** The forms of DESIGN §9, each with its bound. */
const forms: Array<Form & {bound: number}> = [
	{what: 'no filter', bound: 5, request: {limit: 200}},
	{
		what: 'facets and numbers',
		bound: 7,
		request: {
			limit: 200,
			tiers: ['retrainable'],
			interface_hashes: ['so101_follower-30hz-3f9a', 'aloha-50hz-77aa'],
			numeric_predicates: [
				{field: 'quality_score', op: 'gte', value: 0.5},
				{field: 'pause_fraction', op: 'lt', value: 0.8},
			],
		},
	},
	{
		what: 'channel predicates with evidence',
		bound: 9,
		request: {
			limit: 200,
			channel_predicates: [
				{stream: 'action', channel: 'gripper.pos', agg: 'max', op: 'gt', value: -50},
				{stream: 'state', channel: 'elbow_flex.pos', agg: 'std', op: 'lt', value: 80},
			],
		},
	},
];

/** The request of `G`, reported without a bound. */
const deepPages: Form[] = [
	{what: 'last page of 1,000,000', request: {limit: 200, offset: episodes - 200}},
	{
		what: 'last page of a dataset of 200,000',
		request: {limit: 200, offset: 199_800, dataset_ids: [datasetId(0)]},
	},
];

/**
 * Explore over a million episodes, published as an ingest's are, beside one plain grouped SELECT: same instance, same
 * connection, taking turns. Both are timed to the last row in JavaScript, before JSON. Each figure is the median of
 * the rounds.
 */
export async function run(): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'lakescope-bench-lake-'));
	try {
		const database = await Database.open(path.join(folder, 'lake.duckdb'), path.join(folder, 'staging'));
		try {
			const connection = await database.connect();
			await build(database, connection, folder);
			await measure(database, connection);
			connection.closeSync();
		} finally {
			database.close();
		}
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

async function build(database: Database, connection: DuckDBConnection, folder: string): Promise<void> {
	await prepareSchema(database, connection);
	const datasets = await BenchLake.create(folder);
	const sizes = datasetSizes(episodes);
	const start = performance.now();
	for (const [number, size] of sizes.entries()) {
		const publication = await datasets.stage(number, size);
		await publish(database, connection, publication);
		await rm(publication.staging, {recursive: true});
	}
	datasets.close();
	await database.run(
		connection,
		`CREATE TABLE plain AS
		SELECT p.task, e.frame_count, e.duration_s FROM episode e JOIN profile p USING (profile_key) ORDER BY e.row_key`,
	);
	await database.run(connection, 'CHECKPOINT');
	const seconds = (performance.now() - start) / 1000;
	console.log(`${episodes} episodes in ${sizes.length} datasets, published in ${seconds.toFixed(0)} s`);
}

async function measure(database: Database, connection: DuckDBConnection): Promise<void> {
	const plain = () =>
		database.rows(
			connection,
			'SELECT task, count(*), sum(frame_count), sum(duration_s) FROM plain GROUP BY task',
		);
	const all: Form[] = [...forms, ...deepPages];
	const queries = all.map(({request}) => exploreRequest.parse(request));
	const baseline: number[] = [];
	const times: number[][] = all.map(() => []);
	for (let round = 0; round < rounds; round++) {
		baseline.push(await milliseconds(plain));
		for (const [index, query] of queries.entries()) {
			times[index]?.push(await milliseconds(() => explore(database, connection, query)));
		}
	}
	const beside = median(baseline);
	for (const [index, {what, bound}] of forms.entries()) {
		const time = median(times[index] ?? []);
		printRow({
			what: `explore, ${what}`,
			ratio: time / beside,
			bound,
			figures: `${time.toFixed(1)} ms beside ${beside.toFixed(1)} ms for one grouped SELECT`,
		});
	}
	for (const [index, {what}] of deepPages.entries()) {
		console.log(`explore, ${what}: ${median(times[forms.length + index] ?? []).toFixed(1)} ms`);
	}
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

function median(times: readonly number[]): number {
	return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
