import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdir, readFile, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {DuckDBInstance} from '@duckdb/node-api';
import {describe, expect, test} from 'vitest';
import {exploreRequest} from '../../../../source/contract/explore.ts';
import {DuckDbLake} from '../../../../source/service/lake/duckdb/duckdb-lake.ts';
import {dataset, episode} from '../lake-model.ts';
import {testLakes} from '../test-lake.ts';

const lakes = testLakes();
const holder = path.join(import.meta.dirname, '../fixtures/hold-lake.ts');
const publisher = path.join(import.meta.dirname, '../fixtures/publish-and-die.ts');

/** Starts a process that opens the lake of `folder`, by a shell line that may set limits first. */
async function otherProcess(folder: string, limits = '') {
	const child = spawn('sh', ['-c', `${limits} exec "$0" "$@"`, process.execPath, holder, folder], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	return {
		pid: child.pid,
		said: (await lines.next()).value as string,
		async end() {
			child.stdin.end();
			const rest = await lines.next();
			await ended;
			return rest.value as string | undefined;
		},
	};
}

/** Changes a closed lake's file behind its back. */
async function tamper(file: string, ...statements: string[]): Promise<void> {
	const instance = await DuckDBInstance.create(file);
	const connection = await instance.connect();
	for (const statement of statements) await connection.run(statement);
	connection.closeSync();
	instance.closeSync();
}

test('a lake keeps its episodes from one opening to the next', async () => {
	const lake = await lakes.open(dataset('cups', [episode(0), episode(1)]));
	await lake.reopen();
	expect((await lake.explore()).total).toBe(2);
	await lake.publish(dataset('towels', [episode(0)]));
	await lake.reopen();
	expect(await lake.lake.totals()).toEqual({
		datasets: 2,
		episodes: 3,
		frames: 900,
		duration: 30,
		untrainable: 0,
	});
});

test('what was published is there after the service was killed', async () => {
	const folder = await lakes.freshFolder();
	const {stager} = await lakes.open();
	const channels = Array.from({length: 40}, (_, index) => ({
		stream: 'action' as const,
		channel: `joint ${index}`,
		native_channel: `action.joint ${index}`,
		native_index: index,
		max: index,
		min: 0,
		mean: 0,
		std: 0,
	}));
	const publications = [
		await stager.stage(folder, dataset('cups', [episode(0)])),
		await stager.stage(folder, dataset('wide', [episode(0, {channels}), episode(1)])),
		await stager.stage(folder, dataset('cups', [episode(0), episode(1)])),
	];
	const killed = spawn(process.execPath, [publisher, folder, JSON.stringify(publications)]);
	expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
	const lake = await DuckDbLake.open(folder);
	const query = {channel_predicates: [{channel: 'joint 39', agg: 'max', op: 'gte', value: 39}]};
	expect((await lake.explore(exploreRequest.parse(query))).total).toBe(1);
	expect(await lake.totals()).toMatchObject({datasets: 2, episodes: 4});
	await lake.close();
});

describe('a file that cannot be opened is named, with the way out', () => {
	test('held by another process', async () => {
		const folder = await lakes.freshFolder();
		const other = await otherProcess(folder);
		expect(other.said).toBe('opened 0');
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({
			name: 'LakeError',
			reason: 'locked',
			message: expect.stringMatching(
				new RegExp(`${path.join(folder, 'lake.duckdb')} is open in process ${other.pid}.*--lake`),
			),
		});
		await other.end();
		const lake = await DuckDbLake.open(folder);
		await lake.close();
	});

	test('held by this process, which the system would allow', async () => {
		const {folder} = await lakes.open();
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({reason: 'locked'});
		expect((await otherProcess(folder)).said).toMatch(/^locked: /);
	});

	test('of a newer version', async () => {
		const lake = await lakes.open();
		await lake.lake.close();
		const file = path.join(lake.folder, 'lake.duckdb');
		await tamper(file, 'UPDATE lake SET schema_version = 99');
		await expect(DuckDbLake.open(lake.folder)).rejects.toMatchObject({
			reason: 'newer',
			message: expect.stringMatching(/lake\.duckdb has version 99.*up to \d+: update lakescope/),
		});
	});

	test("another program's database", async () => {
		const folder = await lakes.freshFolder();
		await tamper(path.join(folder, 'lake.duckdb'), 'CREATE TABLE cats (name VARCHAR)');
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({
			reason: 'not-a-lake',
			message: expect.stringContaining('no lake'),
		});
	});

	test('no database at all', async () => {
		const folder = await lakes.freshFolder();
		await writeFile(path.join(folder, 'lake.duckdb'), 'mine\n'.repeat(5000));
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({reason: 'not-a-lake'});
		expect(await readFile(path.join(folder, 'lake.duckdb'), 'utf8')).toContain('mine');
	});

	test('cut off in the middle', async () => {
		const lake = await lakes.open(dataset('cups', [episode(0), episode(1)]));
		await lake.lake.close();
		await truncate(path.join(lake.folder, 'lake.duckdb'), 20_000);
		await expect(DuckDbLake.open(lake.folder)).rejects.toMatchObject({reason: 'not-a-lake'});
	});

	test('in a folder named with a question mark, which DuckDB cannot use', async () => {
		const folder = path.join(await lakes.freshFolder(), 'what?');
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({
			message: expect.stringContaining('question mark'),
		});
	});

	test('a folder in its place', async () => {
		const folder = await lakes.freshFolder();
		await mkdir(path.join(folder, 'lake.duckdb'));
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({reason: 'not-a-lake'});
	});

	test.skipIf(process.getuid?.() === 0)('in a folder that may not be written', async () => {
		const folder = await lakes.freshFolder();
		await chmod(folder, 0o500);
		await expect(DuckDbLake.open(folder)).rejects.toMatchObject({reason: 'denied'});
		await chmod(folder, 0o700);
	});

	test('with no room left for it', async () => {
		const full = await otherProcess(await lakes.freshFolder(), 'ulimit -f 100;');
		expect([full.said, await full.end()].join(' ')).toMatch(
			/full: There is no room left on the disk for the lake/,
		);
	});
});

test('a publication from outside the lake is not read', async () => {
	const lake = await lakes.open();
	const elsewhere = await lakes.freshFolder();
	const publication = await lake.stager.stage(elsewhere, dataset('cups', [episode(0)]));
	await expect(lake.lake.publish(publication)).rejects.toMatchObject({reason: 'staging'});
});

test('a lake in a folder with odd characters works', async () => {
	const folder = path.join(await lakes.freshFolder(), `it's [a] "lake" * %20 ü`);
	await mkdir(folder);
	const lake = await DuckDbLake.open(folder);
	const other = await lakes.open();
	await lake.publish(await other.stager.stage(folder, dataset('cups', [episode(0)])));
	expect((await lake.totals()).episodes).toBe(1);
	await lake.close();
});

test('a closed lake says so, and closing it twice is no error', async () => {
	const {lake} = await lakes.open();
	await Promise.all([lake.close(), lake.close()]);
	await expect(lake.totals()).rejects.toMatchObject({reason: 'closed'});
});
