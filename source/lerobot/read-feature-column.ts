import type {DuckDBDataChunk} from '@duckdb/node-api';
import type {Vector} from '@duckdb/node-bindings';
import {columnVector, doubleValues, floatValues, listEntries, nullRows} from './read-vectors.ts';

export type ColumnShape = {
	/** Values a frame. */
	readonly dims: number;
	readonly isList: boolean;
	readonly isFloat: boolean;
};

/**
 * The frames of one numeric feature, gathered chunk by chunk for the episode at hand. A frame whose value is null
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
