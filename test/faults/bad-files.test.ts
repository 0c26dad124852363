import {readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {exploreResponse} from '../../source/contract/explore.ts';
import {type IngestRecord, ingestRecord} from '../../source/contract/local.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {call} from '../service/support/call.ts';
import {processesOver, serviceHome} from '../service/support/service-home.ts';
import {editInfo} from '../support/dataset-damage.ts';
import {dataFile, episodesFile, tasksFile, writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {withDuckDB} from '../support/parquet.ts';
import {mutate} from './support/mutate.ts';
import {patience, randomFrom, times} from './support/soak.ts';

/** Small enough that a file which inflates is ended long before the machine notices. */
const boundMiB = 320;
process.env.LAKESCOPE_INGEST_MEMORY_MIB = String(boundMiB);

const home = serviceHome();
const lake = home.lake();
let service: JoinedService;

beforeEach(async () => {
	service = await home.join(lake);
});

async function ingested(folder: string): Promise<IngestRecord> {
	const answer = await call(service, '/local/v1/ingests', {body: {folder}});
	expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
	const {operation_id} = ingestRecord.parse(answer.json());
	const found = async () =>
		ingestRecord.parse((await call(service, `/local/v1/ingests/${operation_id}`)).json());
	await expect.poll(async () => (await found()).status.done, {timeout: 60_000, interval: 50}).toBe(true);
	return found();
}

async function episodesOf(name: string): Promise<number[]> {
	const answer = await call(service, '/v1/datasets/explore', {body: {search: name, limit: 200}});
	return exploreResponse
		.parse(answer.json())
		.episodes.filter(({dataset_name}) => dataset_name === name)
		.map(({episode_index}) => episode_index);
}

async function serviceIsWell(): Promise<void> {
	expect((await call(service, '/local/v1')).status).toBe(200);
	expect(processesOver(lake)).toEqual([service.pid]);
}

const filesADataset = 10;

/** For a whole test: a loaded machine takes its time for the children. */
const timeout = patience(1, 60_000);
const rounds = times(50, 500) / filesADataset;

describe('mutated parquet files', () => {
	test.each(Array.from({length: rounds}, (_, round) => round))(
		'are read as far as they can be, and named otherwise (round %i)',
		async round => {
			const random = randomFrom(round);
			const name = `mutated-${round}`;
			const folder = path.join(home.root, name);
			const episodes = Array.from({length: filesADataset}, () => ({frames: 40}));
			await writeLerobotDataset(folder, {episodes, episodesPerFile: 1, names: ['a', 'b']});
			// Every tenth is of the metadata; the first data file stays whole.
			const ofMetadata = round % 2 === 0 ? episodesFile : tasksFile;
			const files = [...episodes.keys()].map(file => (file === 0 ? ofMetadata : dataFile(file)));
			for (const file of files) {
				const target = path.join(folder, file);
				await writeFile(target, mutate(await readFile(target), random));
			}
			const record = await ingested(folder);
			await serviceIsWell();
			if (record.status.phase === 'failed') {
				// A child that the file ended: the sentence names what it was at.
				expect(record.status.message).toMatch(/(data|meta)\/\S+\.parquet/);
				return;
			}
			const taken = await episodesOf(name);
			expect(taken).toContain(0);
			for (const [index, file] of files.entries()) {
				const named = record.problems.some(
					problem => problem.file === file || problem.message.includes(file),
				);
				if (index > 0) expect([file, named || taken.includes(index)]).toEqual([file, true]);
			}
		},
		timeout,
	);
});

const endedAtBound = (folder: string, file = dataFile()) => ({
	phase: 'failed',
	message: expect.stringContaining(`Reading ${file} in ${folder} took more than ${boundMiB} MiB of memory`),
});

/** Ten thousand features are too many at every step: while one file is read it is named, at the end the dataset. */
const endedAtAnyStep = (folder: string) => ({
	phase: 'failed',
	message: expect.toSatisfy((message: string) =>
		[`${dataFile()} in ${folder}`, `meta/info.json in ${folder}`, folder].some(what =>
			message.startsWith(`Reading ${what} took more than ${boundMiB} MiB of memory`),
		),
	),
});

test('a file that inflates a thousandfold stops its reader at the memory bound, and is named', {
	timeout,
}, async () => {
	const folder = path.join(home.root, 'inflating');
	await writeLerobotDataset(folder, {episodes: [{}], names: ['a', 'b']});
	const dims = 4096;
	const rows = 24_000;
	const file = path.join(folder, dataFile());
	await withDuckDB(connection =>
		connection.run(`COPY (
			SELECT action, i::BIGINT AS frame_index, 0::BIGINT AS episode_index, i::BIGINT AS "index", 0::BIGINT AS task_index,
				(i / 30)::FLOAT AS timestamp
			FROM (SELECT list_resize([]::FLOAT[], ${dims}, 0::FLOAT) AS action), range(${rows}) r(i)
		) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`),
	);
	await editInfo(folder, info =>
		Object.assign(info.features as object, {action: {dtype: 'float32', shape: [dims], names: null}}),
	);
	expect((rows * dims * 4) / (await stat(file)).size).toBeGreaterThan(1000);
	const {status} = await ingested(folder);
	expect(status).toMatchObject(endedAtBound(folder));
	await serviceIsWell();
});

test.each([
	['undeclared', 0, () => ({phase: 'finalized', episode_count: 1})],
	['declared', 10_000, endedAtAnyStep],
])(
	'a file of 10,000 columns, %s, does not take the service along',
	{timeout},
	async (what, declared, outcome) => {
		const folder = path.join(home.root, `wide-${what}`);
		await writeLerobotDataset(folder, {episodes: [{frames: 100}], names: ['a', 'b']});
		const columns = Array.from({length: 10_000}, (_, column) => `frame_index::FLOAT AS c${column}`);
		const file = path.join(folder, dataFile());
		await withDuckDB(async connection => {
			await connection.run(`CREATE TABLE old AS SELECT * FROM read_parquet('${file}')`);
			await connection.run(`COPY (SELECT *, ${columns.join(', ')} FROM old) TO '${file}' (FORMAT parquet)`);
		});
		await editInfo(folder, info =>
			Object.assign(
				info.features as object,
				Object.fromEntries(
					Array.from({length: declared}, (_, column) => [`c${column}`, {dtype: 'float32', shape: [1]}]),
				),
			),
		);
		const {status} = await ingested(folder);
		await serviceIsWell();
		expect(status).toMatchObject(outcome(folder));
	},
);
