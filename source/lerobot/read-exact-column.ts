import type {DuckDBDataChunk} from '@duckdb/node-api';
import type {Vector} from '@duckdb/node-bindings';
import bindings from '@duckdb/node-bindings';
import {columnVector, listEntries, nullRows} from './read-feature-column.ts';
import type {FrameValues} from './write-description.ts';

type Numbers = Exclude<FrameValues, readonly unknown[]>;

/** How the values of a dtype lie in memory, and what DuckDB calls their type. */
const layouts = {
	float32: {sql: 'FLOAT', array: Float32Array},
	float64: {sql: 'DOUBLE', array: Float64Array},
	int8: {sql: 'TINYINT', array: Int8Array},
	int16: {sql: 'SMALLINT', array: Int16Array},
	int32: {sql: 'INTEGER', array: Int32Array},
	int64: {sql: 'BIGINT', array: BigInt64Array},
	uint8: {sql: 'UTINYINT', array: Uint8Array},
	uint16: {sql: 'USMALLINT', array: Uint16Array},
	uint32: {sql: 'UINTEGER', array: Uint32Array},
	uint64: {sql: 'UBIGINT', array: BigUint64Array},
	bool: {sql: 'BOOLEAN', array: Uint8Array},
} as const;
export type ExactDtype = keyof typeof layouts;

export const isExactDtype = (dtype: string): dtype is ExactDtype => Object.hasOwn(layouts, dtype);

export const sqlTypeOf = (dtype: ExactDtype): string => layouts[dtype].sql;

/**
 * One feature of an episode as it is stored, every digit of it. A frame whose value is null or of another length
 * leaves zeros and is counted.
 */
export class ExactColumn {
	readonly #array: (typeof layouts)[ExactDtype]['array'];
	readonly #dims: number;
	readonly #isList: boolean;
	#gathered: Uint8Array<ArrayBuffer> = new Uint8Array(0);
	#filled = 0;
	#chunk: Uint8Array = new Uint8Array(0);
	#rowAt: (row: number) => number = row => row * this.#dims;
	misshapen = 0;

	constructor(dtype: ExactDtype, dims: number, isList: boolean) {
		this.#array = layouts[dtype].array;
		this.#dims = dims;
		this.#isList = isList;
	}

	/** Looks into the next chunk. It must outlive the `append`s from it. */
	load(chunk: DuckDBDataChunk, column: number): void {
		const vector = columnVector(chunk, column);
		const rows = chunk.rowCount;
		const nulls = nullRows(vector, rows);
		if (!this.#isList) {
			this.#chunk = this.#bytes(vector, rows);
			this.#rowAt = row => (nulls?.has(row) ? -1 : row);
			return;
		}
		const lists = listEntries(vector, rows, this.#dims);
		const childNulls = nullRows(lists.child, lists.size);
		this.#chunk = this.#bytes(lists.child, lists.size);
		this.#rowAt = row => {
			if (nulls?.has(row) || lists.length(row) !== this.#dims) return -1;
			const at = lists.offset(row);
			if (childNulls) for (let dim = 0; dim < this.#dims; dim++) if (childNulls.has(at + dim)) return -1;
			return at;
		};
	}

	/** Takes rows of the loaded chunk into the episode. */
	append(from: number, count: number): void {
		const width = this.#array.BYTES_PER_ELEMENT;
		const bytes = this.#dims * width;
		this.#reserve(count * bytes);
		for (let row = from; row < from + count; row++) {
			const at = this.#rowAt(row);
			if (at < 0) {
				this.misshapen++;
				this.#gathered.fill(0, this.#filled, this.#filled + bytes);
			} else {
				this.#gathered.set(this.#chunk.subarray(at * width, at * width + bytes), this.#filled);
			}
			this.#filled += bytes;
		}
	}

	/** The episode's values, frame after frame, from one frame until before another; a copy. */
	values(from: number, until: number): Numbers {
		const bytes = this.#dims * this.#array.BYTES_PER_ELEMENT;
		return new this.#array(this.#gathered.slice(from * bytes, until * bytes).buffer);
	}

	clear(): void {
		this.#filled = 0;
		this.misshapen = 0;
	}

	#bytes(vector: Vector, count: number): Uint8Array {
		return bindings.vector_get_data(vector, count * this.#array.BYTES_PER_ELEMENT);
	}

	#reserve(more: number): void {
		if (this.#filled + more <= this.#gathered.length) return;
		const grown = new Uint8Array(Math.max(this.#filled + more, 2 * this.#gathered.length));
		grown.set(this.#gathered.subarray(0, this.#filled));
		this.#gathered = grown;
	}
}
