import type {DuckDBDataChunk} from '@duckdb/node-api';
import bindings, {type Vector} from '@duckdb/node-bindings';

/**
 * A chunk's columns as typed arrays over DuckDB's own memory. They are valid while the chunk is; going through
 * them value by value, as the API above does, costs ten times as much as decoding them.
 */
export function columnVector(chunk: DuckDBDataChunk, column: number): Vector {
	return bindings.data_chunk_get_vector(chunk.chunk, column);
}

export function floatValues(vector: Vector, count: number): Float32Array {
	const {buffer, byteOffset} = bindings.vector_get_data(vector, count * 4);
	return new Float32Array(buffer, byteOffset, count);
}

export function doubleValues(vector: Vector, count: number): Float64Array {
	const {buffer, byteOffset} = bindings.vector_get_data(vector, count * 8);
	return new Float64Array(buffer, byteOffset, count);
}

/** Writes a BIGINT column into `out`, nulls as NaN. Beyond 2^53 the last digits are lost. */
export function readIntegers(vector: Vector, count: number, out: Float64Array): void {
	const {buffer, byteOffset} = bindings.vector_get_data(vector, count * 8);
	const words = new Int32Array(buffer, byteOffset, count * 2);
	for (let row = 0; row < count; row++) {
		const low = words[2 * row] as number;
		const high = words[2 * row + 1] as number;
		out[row] = high === 0 && low >= 0 ? low : high * 4_294_967_296 + (low >>> 0);
	}
	const nulls = nullRows(vector, count);
	if (nulls) for (const row of nulls) out[row] = Number.NaN;
}

export type Lists = {
	readonly child: Vector;
	/** Values in the child. */
	readonly size: number;
	/** Whether row r is the `dims` values from r · dims on, for every row. */
	readonly regular: boolean;
	readonly offset: (row: number) => number;
	readonly length: (row: number) => number;
};

/** A LIST column: where each row's values lie in the one vector behind it all. */
export function listEntries(vector: Vector, rows: number, dims: number): Lists {
	const {buffer, byteOffset} = bindings.vector_get_data(vector, rows * 16);
	// An entry is two 64-bit words, offset and length; a chunk's never need the upper halves.
	const words = new Uint32Array(buffer, byteOffset, rows * 4);
	let regular = true;
	for (let row = 0; row < rows && regular; row++) {
		regular = words[4 * row] === row * dims && words[4 * row + 2] === dims;
	}
	return {
		child: bindings.list_vector_get_child(vector),
		size: bindings.list_vector_get_size(vector),
		regular,
		offset: row => words[4 * row] as number,
		length: row => words[4 * row + 2] as number,
	};
}

/** The rows that are null, or undefined where none is. */
export function nullRows(vector: Vector, rows: number): Set<number> | undefined {
	const validity: Uint8Array | null = bindings.vector_get_validity(vector, Math.ceil(rows / 64) * 8);
	if (!validity) return undefined;
	const nulls = new Set<number>();
	for (let row = 0; row < rows; row++) {
		if (((validity[row >> 3] as number) & (1 << (row & 7))) === 0) nulls.add(row);
	}
	return nulls.size > 0 ? nulls : undefined;
}
