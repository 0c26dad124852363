import {
	ARRAY,
	BIGINT,
	BLOB,
	BOOLEAN,
	blobValue,
	DOUBLE,
	DuckDBArrayValue,
	DuckDBDataChunk,
	type DuckDBType,
	type DuckDBValue,
	FLOAT,
	INTEGER,
	SMALLINT,
	STRUCT,
	structValue,
	TINYINT,
	UBIGINT,
	UINTEGER,
	USMALLINT,
	UTINYINT,
	VARCHAR,
} from '@duckdb/node-api';
import {declaredLanguageType, languageType} from './language.ts';
import type {FrameValues} from './write-description.ts';

const scalarTypes: Readonly<Record<string, DuckDBType>> = {
	float32: FLOAT,
	float64: DOUBLE,
	int8: TINYINT,
	int16: SMALLINT,
	int32: INTEGER,
	int64: BIGINT,
	uint8: UTINYINT,
	uint16: USMALLINT,
	uint32: UINTEGER,
	uint64: UBIGINT,
	bool: BOOLEAN,
	string: VARCHAR,
	/** As the datasets library keeps pictures. */
	image: STRUCT({bytes: BLOB, path: VARCHAR}),
};

/** A column of the data files. */
export type FrameColumn = {
	readonly name: string;
	readonly dtype: string;
	/** Values a frame; a column of width 1 holds scalars, any other lists. */
	readonly width: number;
	readonly type: DuckDBType;
	/** As the table declares it, where that says more than the type. */
	readonly declared?: string;
};

/**
 * @throws {Error} that names the column, where its dtype has no place in a data file.
 */
export function frameColumn(name: string, dtype: string, width: number): FrameColumn {
	const scalar = dtype === 'language' ? languageType(name) : scalarTypes[dtype];
	if (!scalar) {
		throw new Error(
			`Feature "${name}" has the dtype "${dtype}", which cannot be written; known are ${[...Object.keys(scalarTypes), 'language'].join(', ')}.`,
		);
	}
	if (dtype === 'language')
		return {name, dtype, width: 1, type: scalar, declared: declaredLanguageType(name)};
	return {name, dtype, width, type: width === 1 ? scalar : ARRAY(scalar, width)};
}

/**
 * The frames of one episode as DuckDB chunks.
 *
 * @param values for each column `length × width` values.
 */
export function* frameChunks(
	columns: readonly FrameColumn[],
	values: readonly FrameValues[],
	length: number,
): Generator<DuckDBDataChunk> {
	const types = columns.map(column => column.type);
	for (let from = 0; from < length; from += maxChunkRows) {
		const rows = Math.min(maxChunkRows, length - from);
		const chunk = DuckDBDataChunk.create(types, rows);
		for (const [place, column] of columns.entries()) {
			fillVector(chunk, place, column, values[place] ?? [], from, rows);
		}
		yield chunk;
	}
}

/** DuckDB's vector size. */
export const maxChunkRows = 2048;

function fillVector(
	chunk: DuckDBDataChunk,
	place: number,
	{dtype, width}: FrameColumn,
	values: FrameValues,
	from: number,
	rows: number,
): void {
	const vector = chunk.getColumnVector(place);
	const flag = dtype === 'bool';
	if (width === 1) {
		for (let row = 0; row < rows; row++) {
			const value = values[from + row] ?? null;
			vector.setItem(row, flag ? value === 1 : itemOf(value));
		}
	} else {
		// One array serves all rows: the vector copies its items at once.
		const items: DuckDBValue[] = new Array<DuckDBValue>(width).fill(null);
		const row = new DuckDBArrayValue(items);
		let next = from * width;
		for (let index = 0; index < rows; index++) {
			for (let dim = 0; dim < width; dim++) {
				const value = values[next++] ?? null;
				items[dim] = flag ? value === 1 : itemOf(value);
			}
			vector.setItem(index, row);
		}
	}
	vector.flush();
}

function itemOf(value: FrameValues[number] | null): DuckDBValue {
	return value instanceof Uint8Array ? structValue({bytes: blobValue(value), path: null}) : value;
}
