import {expect, test} from 'vitest';
import {exploreRequest} from '../../source/contract/explore.ts';
import {ClickHouseLake} from '../../source/service/lake/clickhouse/clickhouse-lake.ts';
import {ddl} from '../../source/service/lake/clickhouse/schema.ts';
import {Server} from '../../source/service/lake/clickhouse/server.ts';
import {sweep} from '../../source/service/lake/clickhouse/sweep.ts';
import {dataset, episode} from '../service/lake/lake-model.ts';
import {testLakes} from '../service/lake/test-lake.ts';
import {chdbLakes} from './chdb-lakes.ts';

const chdb = chdbLakes();
const lakes = testLakes(chdb.open);
const name = 'The lake clickhouse://chdb';

const generation = (task: string, episodes: number) =>
	dataset(
		'a',
		Array.from({length: episodes}, (_, index) => episode(index, {task})),
	);

test('of two services that publish one dataset at once one is shown whole, and the other is told or came before', async () => {
	const first = await lakes.open(generation('before', 2));
	const second = await chdb.open(first.folder);
	try {
		const staged = [
			await first.stager.stage(first.folder, generation('one', 3)),
			await first.stager.stage(first.folder, generation('two', 5)),
		] as const;
		const settled = await Promise.allSettled([first.lake.publish(staged[0]), second.publish(staged[1])]);
		const told = settled.filter(({status}) => status === 'rejected');
		expect(told.length).toBeLessThanOrEqual(1);
		for (const {reason} of told as PromiseRejectedResult[])
			expect(reason).toMatchObject({reason: 'conflict'});
		const answer = await first.explore();
		expect([3, 5]).toContain(answer.total);
		expect(answer.facets.by_task).toEqual([{value: answer.total === 3 ? 'one' : 'two', count: answer.total}]);
		expect(answer.episodes).toHaveLength(Number(answer.total));
		expect(await second.explore(exploreRequest.parse({}))).toEqual(answer);
		const winner = settled[answer.total === 3 ? 0 : 1];
		expect(winner).toMatchObject({status: 'fulfilled'});
	} finally {
		await second.close();
	}
});

test('a decision of one service is shown by another', async () => {
	const first = await lakes.open(generation('fold', 2));
	const second = await chdb.open(first.folder);
	try {
		const revision = 'ab'.repeat(32);
		await second.review([{datasetName: 'a', revision, episodeIndex: 0, state: 'rejected'}]);
		expect((await first.explore({review_state: 'rejected'})).total).toBe(2);
		expect(await first.lake.rejectedOf('a')).toEqual([0, 1]);
		await second.review([{datasetName: 'a', revision, episodeIndex: 0, state: 'unreviewed'}]);
		expect((await first.explore({review_state: 'rejected'})).total).toBe(0);
	} finally {
		await second.close();
	}
});

test('generations that nothing reads any more are taken out, and what is in the lake stays', async () => {
	const lake = await lakes.open(generation('one', 2), dataset('b', [episode(0)]));
	await lake.publish(generation('two', 3));
	const server = new Server(await chdb.clientFor(lake.folder), name);
	try {
		const held = async () => (await server.rows<{n: number}>('SELECT count() AS n FROM episode'))[0]?.n;
		expect(await held()).toBe(6);
		await sweep(server, '');
		expect(await held()).toBe(6);
		await sweep(server, '', 0);
		expect(await held()).toBe(4);
		expect((await lake.explore()).total).toBe(4);
		await lake.publish(generation('three', 1));
		expect(await lake.lake.dataset('a')).toMatchObject({generation: 3});
	} finally {
		await server.close();
	}
});

test('a lake of a newer program, and another program’s database, are refused with a sentence', async () => {
	const lake = await lakes.open();
	const client = await chdb.clientFor(lake.folder);
	await client.command({
		query:
			"INSERT INTO lake (schema_version, metric_columns, cluster, written) VALUES (99, [], '', now64(3) + 60)",
	});
	await expect(ClickHouseLake.open(client, name, lake.folder)).rejects.toMatchObject({
		reason: 'newer',
		message: expect.stringContaining('version 99'),
	});
	const folder = await lakes.freshFolder();
	const other = await chdb.clientFor(folder);
	await other.command({query: 'CREATE TABLE theirs (a UInt8) ENGINE = MergeTree ORDER BY a'});
	await expect(ClickHouseLake.open(other, name, folder)).rejects.toMatchObject({
		reason: 'not-a-lake',
		message: expect.stringContaining('another program'),
	});
});

test('the statements for a cluster are ones that ClickHouse parses', async () => {
	const client = await chdb.clientFor(await lakes.freshFolder());
	const server = new Server(client, name);
	try {
		for (const statement of ddl('lab')) {
			const tree = await server.rows(`EXPLAIN AST ${statement}`);
			expect(tree.length).toBeGreaterThan(3);
		}
		expect(() => ddl("lab' --")).toThrow(RangeError);
	} finally {
		await server.close();
	}
});
