import path from 'node:path';
import {json} from 'node:stream/consumers';
import {ReadDatabase} from '../../source/lerobot/read-database.ts';
import {
	columnVector,
	doubleValues,
	floatValues,
	listEntries,
} from '../../source/lerobot/read-feature-column.ts';
import {quotedString} from '../../source/lerobot/sql.ts';
import {benchDataFile} from './bench-dataset.ts';

/**
 * The reference for the ingest: the columns that it reads of the data files, decoded by DuckDB and copied
 * into typed arrays, and nothing else.
 */
const {folder, files} = (await json(process.stdin)) as {folder: string; files: number};
const database = await ReadDatabase.open({
	folders: [folder],
	memoryLimit: '512MB',
	spillFolder: path.join(folder, 'spill'),
});
const connection = await database.connect();

const lists = ['action', 'observation.state'];
const integers = ['episode_index', 'frame_index', 'index', 'task_index'];
const rows = 2048;
const gathered = {
	lists: lists.map(() => new Float32Array(64 * rows)),
	timestamps: new Float32Array(rows),
	integers: integers.map(() => new Float64Array(rows)),
};

let frames = 0;
for (let file = 0; file < files; file++) {
	const name = path.join(folder, benchDataFile(file));
	const columns = [...lists, 'timestamp', ...integers].map(column => `"${column}"`).join(', ');
	const result = await connection.stream(`SELECT ${columns} FROM read_parquet(${quotedString(name)})`);
	for (
		let chunk = await result.fetchChunk();
		chunk && chunk.rowCount > 0;
		chunk = await result.fetchChunk()
	) {
		let column = 0;
		for (const target of gathered.lists) {
			const {child, size} = listEntries(columnVector(chunk, column++), chunk.rowCount, 0);
			target.set(floatValues(child, size));
		}
		gathered.timestamps.set(floatValues(columnVector(chunk, column++), chunk.rowCount));
		for (const target of gathered.integers) {
			target.set(doubleValues(columnVector(chunk, column++), chunk.rowCount));
		}
		frames += chunk.rowCount;
	}
}
connection.closeSync();
database.close();
console.log(JSON.stringify({type: 'done', frames}));
