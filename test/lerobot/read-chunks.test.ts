import {mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {readChunks} from '../../source/lerobot/read-chunks.ts';
import {damageReason, ReadDatabase} from '../../source/lerobot/read-database.ts';
import {withDuckDB} from '../support/parquet.ts';

const rows = 30_000;
const width = 64;
let root: string;
let file: string;
let database: ReadDatabase | undefined;

beforeAll(async () => {
	root = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-chunks-')));
	file = path.join(root, 'rows.parquet');
	await withDuckDB(connection =>
		connection.run(
			`COPY (SELECT n, list_transform(range(${width}), x -> random()) AS "values" FROM range(${rows}) t(n)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 30000)`,
		),
	);
});
afterEach(() => {
	database?.close();
	database = undefined;
});
afterAll(() => rm(root, {recursive: true}));

async function open(memoryLimit = '256MB'): Promise<ReadDatabase> {
	const spillFolder = path.join(root, 'spill');
	database = await ReadDatabase.open({folders: [root], memoryLimit, spillFolder});
	return database;
}

/** The sum of what is read, which is wrong where a row is lost or comes twice. */
async function sumOf(from: ReadDatabase, name = file, between?: () => Promise<unknown>): Promise<bigint> {
	let sum = 0n;
	for await (const chunk of readChunks(from, ['n', '"values"'], name)) {
		for (const n of chunk.getColumnValues(0)) sum += n as bigint;
		await between?.();
	}
	return sum;
}

const whole = (BigInt(rows) * BigInt(rows - 1)) / 2n;

test('a file is read whole while the same database answers and writes', async () => {
	const from = await open();
	const writer = await from.connect();
	await writer.run('CREATE TABLE noted (n BIGINT)');
	const between = async () => {
		await from.query('SELECT 1');
		await writer.run('INSERT INTO noted SELECT * FROM range(1000)');
	};
	expect(await sumOf(from, file, between)).toBe(whole);
	writer.closeSync();
});

test('a stream that ends early loses nothing and is not called damage', async () => {
	const from = await open();
	const connect = from.connect.bind(from);
	from.connect = async () => endsEarly(await connect());
	expect(await sumOf(from)).toBe(whole);
});

function endsEarly(connection: DuckDBConnection): DuckDBConnection {
	const stream = connection.stream.bind(connection);
	connection.stream = async sql => {
		const result = await stream(sql);
		const fetchChunk = result.fetchChunk.bind(result);
		let fetched = 0;
		result.fetchChunk = async () => (fetched++ < 3 ? fetchChunk() : null);
		return result;
	};
	return connection;
}

test('too little memory is not called damage of the file', async () => {
	const error = await sumOf(await open('3MB')).catch(reason => reason);
	expect(error.message).toMatch(/^Out of Memory/);
	expect(() => damageReason(error, 'data/rows.parquet')).toThrow(
		/^data\/rows\.parquet could not be read to its end, although it does not look damaged \(Out of Memory/,
	);
});

test('a footer that counts more rows than there are is told as such', async () => {
	const longer = path.join(root, 'longer.parquet');
	const content = await readFile(file);
	// The footer's third field, the number of rows, as Thrift's compact protocol writes it: zigzag, seven bits a byte.
	const varint = (n: number) => Buffer.from([(n & 0x7f) | 0x80, ((n >> 7) & 0x7f) | 0x80, n >> 14]);
	const footer = content.length - 8 - content.readUInt32LE(content.length - 8);
	const at = content.indexOf(varint(2 * rows), footer);
	varint(2 * (rows + 5)).copy(content, at);
	await writeFile(longer, content);
	const error = await sumOf(await open(), longer).catch(reason => reason);
	expect(() => damageReason(error, 'longer.parquet')).toThrow(
		`longer.parquet could not be read to its end, although it does not look damaged (its footer counts ${rows + 5} rows, but only ${rows} could be read). Nothing was ingested: mend that cause and try again.`,
	);
});
