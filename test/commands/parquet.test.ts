import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {beforeAll, expect, inject, test} from 'vitest';
import {heldMetrics} from '../../source/contract/metrics.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {readParquet, withDuckDB} from '../support/parquet.ts';
import {startInPty} from '../support/pty.ts';
import {type Environment, programHome} from './support/program.ts';

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: {count: 450, hostile: true}});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return () => service.close();
});

type Row = Record<string, unknown>;

/** A row of the file as the line of JSON lines that it stands for. */
function asLine({other_metrics, other_fields, ...row}: Row): Row {
	const parsed = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as object) : {});
	const metrics = Object.fromEntries(heldMetrics.map(name => [name, row[name]]));
	for (const name of heldMetrics) delete row[name];
	const evidence = row.channel_predicate_evidence;
	const line = {
		...row,
		metrics: {...metrics, ...parsed(other_metrics)},
		...parsed(other_fields),
		...(typeof evidence === 'string' && {channel_predicate_evidence: JSON.parse(evidence)}),
	};
	return plain(line);
}

/** Without what is null, with integers as JSON reads them, and with texts as UTF-8 can have them. */
function plain(value: unknown): Row {
	const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item));
	return JSON.parse(text, (_, item) => {
		if (typeof item === 'string') return item.toWellFormed();
		if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
		return Object.fromEntries(
			Object.entries(item as object)
				.filter(([, each]) => each !== null)
				.map(([name, each]) => [name.toWellFormed(), each]),
		);
	}) as Row;
}

const columnsOf = (file: string) =>
	withDuckDB(async connection => {
		const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
		return new Map(
			reader.getRowObjectsJS().map(({column_name, column_type}) => [column_name, column_type] as const),
		);
	});

test('a parquet file has what JSON lines have, in typed columns', async () => {
	const file = home.at('all.parquet');
	const written = await home.run(['episodes', '--all', '--parquet', file], hosted);
	expect(written).toMatchObject({code: 0, stdout: '', stderr: '450 episodes, in ~/all.parquet.\n'});
	const lines = (await home.run(['episodes', '--all', '--jsonl'], hosted)).stdout.trimEnd().split('\n');
	const rows = await readParquet(file);
	expect(rows.map(asLine)).toEqual(lines.map(line => ({metrics: {}, ...plain(JSON.parse(line))})));
	const columns = await columnsOf(file);
	expect([...columns.keys()].slice(0, 4)).toEqual([
		'episode_id',
		'dataset_id',
		'dataset_name',
		'episode_index',
	]);
	expect(Object.fromEntries(columns)).toMatchObject({
		episode_id: 'VARCHAR',
		episode_index: 'BIGINT',
		duration_seconds: 'DOUBLE',
		tags: 'VARCHAR[]',
		review_state: 'VARCHAR',
		...Object.fromEntries(heldMetrics.map(name => [name, 'DOUBLE'])),
	});
	expect(readdirSync(home.root).filter(name => name.includes('.part'))).toEqual([]);
});

test('a part of the episodes is said to be one, and a file is replaced with --yes alone', async () => {
	const file = home.at('some.parquet');
	const some = await home.run(['episodes', '--parquet', file, '--limit', '3'], hosted);
	expect(some).toMatchObject({
		code: 0,
		stderr: '3 episodes of 450; --all writes every one, in ~/some.parquet.\n',
	});
	const again = await home.run(['episodes', '--parquet', file, '--limit', '5'], hosted);
	expect(again).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/some\.parquet is there already\. --yes replaces it\.\n$/),
	});
	expect(await readParquet(file)).toHaveLength(3);
	expect(await home.run(['episodes', '--parquet', file, '--limit', '5', '--yes'], hosted)).toMatchObject({
		code: 0,
	});
	expect(await readParquet(file)).toHaveLength(5);
	expect(readdirSync(home.root).filter(name => name.includes('.part'))).toEqual([]);
});

test('standard output takes it where it is no terminal', async () => {
	const child = home.start(['episodes', '--all', '--parquet', '-'], hosted);
	const pieces: Buffer[] = [];
	child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
	expect(await new Promise(resolve => child.once('close', resolve))).toBe(0);
	const file = home.at('piped.parquet');
	writeFileSync(file, Buffer.concat(pieces));
	expect(await readParquet(file)).toHaveLength(450);
	const terminal = startInPty(process.execPath, [inject('cli'), 'episodes', '--parquet', '-'], {
		cwd: home.root,
		env: {...home.env, ...hosted} as Record<string, string>,
	});
	expect(await terminal.untilExit()).toMatchObject({code: 2});
	await terminal.untilText('A parquet file cannot be printed to a terminal');
});

test('a folder that is not there, and two forms at once, are refused in a sentence', async () => {
	const nowhere = await home.run(['episodes', '--parquet', home.at('no/such.parquet')], hosted);
	expect(nowhere).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/no\/such\.parquet cannot be written/),
	});
	const both = await home.run(['episodes', '--csv', '--parquet', home.at('x.parquet')], hosted);
	expect(both).toMatchObject({code: 2, stderr: expect.stringContaining('Give one of --csv and --parquet.')});
	expect(existsSync(home.at('x.parquet'))).toBe(false);
	expect(readFileSync(home.at('all.parquet')).subarray(-4).toString()).toBe('PAR1');
});
