import path from 'node:path';
import {BIGINT, type DuckDBConnection, DuckDBDataChunk, VARCHAR} from '@duckdb/node-api';
import {subtasksPath, tasksPath} from './layout.ts';
import {quotedString} from './sql.ts';
import {maxChunkRows} from './write-columns.ts';
import {parquetOptions} from './write-parquet-files.ts';

/** Names numbered in the order they first occur: the tasks or the subtasks of a dataset. */
export class Names {
	readonly #numbers = new Map<string, number>();

	/** The number of a name, a new one where it was not seen before. */
	number(name: string): number {
		let number = this.#numbers.get(name);
		if (number === undefined) {
			number = this.#numbers.size;
			this.#numbers.set(name, number);
		}
		return number;
	}

	get size(): number {
		return this.#numbers.size;
	}

	/**
	 * Writes `meta/tasks.parquet` or `meta/subtasks.parquet`. LeRobot reads them with pandas and expects the text
	 * as the frame's index, which pandas knows from a metadata key alone.
	 */
	async write(connection: DuckDBConnection, root: string, kind: 'task' | 'subtask'): Promise<void> {
		await connection.run(`CREATE OR REPLACE TABLE names (${kind}_index BIGINT, ${kind} VARCHAR)`);
		const appender = await connection.createAppender('names');
		const names = [...this.#numbers.keys()];
		for (let from = 0; from < names.length; from += maxChunkRows) {
			const some = names.slice(from, from + maxChunkRows);
			const chunk = DuckDBDataChunk.create([BIGINT, VARCHAR], some.length);
			chunk.setColumns([some.map((_, place) => BigInt(from + place)), some]);
			appender.appendDataChunk(chunk);
		}
		appender.closeSync();
		const file = path.join(root, kind === 'task' ? tasksPath : subtasksPath);
		await connection.run(
			`COPY names TO ${quotedString(file)} (${parquetOptions}, KV_METADATA {pandas: ${quotedString(pandasMetadata(kind))}})`,
		);
		await connection.run('DROP TABLE names');
	}
}

/** The metadata by which pandas reads the text as the index of the frame. */
export function pandasMetadata(kind: string): string {
	const column = (name: string, pandasType: string, numpyType: string) => ({
		name,
		field_name: name,
		pandas_type: pandasType,
		numpy_type: numpyType,
		metadata: null,
	});
	return JSON.stringify({
		index_columns: [kind],
		column_indexes: [],
		columns: [column(`${kind}_index`, 'int64', 'int64'), column(kind, 'unicode', 'object')],
		attributes: {},
		creator: {library: 'lakescope', version: '1'},
		pandas_version: '2.0.0',
	});
}
