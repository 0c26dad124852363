import type {DuckDBDataChunk} from '@duckdb/node-api';
import bindings, {type Vector} from '@duckdb/node-bindings';

export type ColumnShape = {
	/** Values a frame. */
	readonly dims: number;
	readonly isList: boolean;
	readonly isFloat: boolean;
};

/**
 * The frames of one numeric feature, gathered chunk by chunk for the current episode. A frame whose value is null
 * or of another length becomes NaN and is counted.
 */
export class FeatureColumn {
	readonly #shape: ColumnShape;
	#gathered: Float32Array | Float64Array;
	#filled = 0;
	#misshapen = 0;
	/** The chunk's values; where they are not regular, row by row in `#rowAt`. */
	#chunk: Float32Array | Float64Array = new Float32Array(0);
	#rowAt: ((row: number) => number) | undefined;

	constructor(shape: ColumnShape) {
		this.#shape = shape;
		this.#gathered = this.#allocate(512 * shape.dims);
	}

	/** Looks into the next chunk. It must outlive the `append`s from it. */
	load(chunk: DuckDBDataChunk, column: number): void {
		const {dims, isList} = this.#shape;
		const vector = columnVector(chunk, column);
		const rows = chunk.rowCount;
		const nulls = nullRows(vector, rows);
		if (!isList) {
			this.#chunk = this.#values(vector, rows);
			this.#rowAt = nulls && (row => (nulls.has(row) ? -1 : row));
			return;
		}
		const lists = listEntries(vector, rows, dims);
		this.#chunk = this.#values(lists.child, lists.size);
		const childNulls = nullRows(lists.child, lists.size);
		if (childNulls) this.#chunk = this.#chunk.map((value, at) => (childNulls.has(at) ? Number.NaN : value));
		this.#rowAt =
			lists.regular && !nulls
				? undefined
				: row => (nulls?.has(row) || lists.length(row) !== dims ? -1 : lists.offset(row));
	}

	/** Takes rows of the loaded chunk into the episode. */
	append(from: number, count: number): void {
		const {dims} = this.#shape;
		this.#reserve(count * dims);
		if (this.#rowAt) {
			for (let row = from; row < from + count; row++) this.#appendRow(this.#rowAt(row));
		} else {
			this.#gathered.set(this.#chunk.subarray(from * dims, (from + count) * dims), this.#filled);
			this.#filled += count * dims;
		}
	}

	#appendRow(at: number): void {
		const {dims} = this.#shape;
		const end = this.#filled + dims;
		if (at < 0) {
			this.#gathered.fill(Number.NaN, this.#filled, end);
			this.#misshapen++;
		} else {
			this.#gathered.set(this.#chunk.subarray(at, at + dims), this.#filled);
		}
		this.#filled = end;
	}

	/** The episode's values so far: a view that the next episode overwrites. */
	get values(): Float32Array | Float64Array {
		return this.#gathered.subarray(0, this.#filled);
	}

	/** Frames that were null or of another length than the feature's. */
	get misshapen(): number {
		return this.#misshapen;
	}

	clear(): void {
		this.#filled = 0;
		this.#misshapen = 0;
	}

	#values(vector: Vector, count: number): Float32Array | Float64Array {
		return this.#shape.isFloat ? floatValues(vector, count) : doubleValues(vector, count);
	}

	#reserve(more: number): void {
		if (this.#filled + more <= this.#gathered.length) return;
		const grown = this.#allocate(Math.max(this.#filled + more, 2 * this.#gathered.length));
		grown.set(this.#gathered.subarray(0, this.#filled));
		this.#gathered = grown;
	}

	#allocate(length: number): Float32Array | Float64Array {
		return this.#shape.isFloat ? new Float32Array(length) : new Float64Array(length);
	}
}

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

type Lists = {
	readonly child: Vector;
	/** Values in the child. */
	readonly size: number;
	/** True if row r is the `dims` values from r · dims on, for every row. */
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
