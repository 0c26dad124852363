import type {DuckDBDataChunk} from '@duckdb/node-api';
import {maxChunkRows, readChunks} from './read-chunks.ts';
import {type BookkeepingColumn, bookkeepingColumns, type DataColumns} from './read-data-columns.ts';
import type {ReadDatabase} from './read-database.ts';
import {columnVector, FeatureColumn, readIntegers} from './read-feature-column.ts';

/** A subtask's number, and the first of the frames that have it. */
export type SubtaskTurn = {readonly number: number; readonly frame: number};

/** The frames of one episode as a data file has them, valid until the next is asked for. */
export type EpisodeFrames = {
	readonly episodeIndex: number;
	readonly frames: number;
	/** One entry a wanted feature, frame after frame; undefined where the file lacks its column. */
	readonly signals: readonly (Float32Array | Float64Array | undefined)[];
	/** For each wanted feature the frames that were null or of another length; their values are NaN. */
	readonly misshapen: readonly number[];
	/** Seconds; undefined where the file has none. */
	readonly timestamps: Float64Array | undefined;
	readonly firstIndex: number | undefined;
	readonly taskIndex: number | undefined;
	/** The values of `subtask_index` in the order they take turns, each with the frame that it begins at; -1 is none. */
	readonly subtasks: readonly SubtaskTurn[];
	/** Where `frame_index` first leaves its order, as a sentence about the episode. */
	readonly frameOrder: string | undefined;
	/** Where the global `index` does. */
	readonly indexOrder: string | undefined;
	/** True if the file could not be read to the end of this episode. */
	readonly cutOff: boolean;
};

/**
 * Streams a data file, one episode after the other as its rows lie. An episode may spread over row groups; a
 * file may hold one or many. Rows without an episode_index come as an episode NaN, of which only the frames are counted.
 *
 * @param only the episode that is wanted alone
 * @throws DuckDB's error where a row group cannot be decoded, after the frames before it were handed out.
 */
export async function* readDataFile(
	database: ReadDatabase,
	file: string,
	columns: DataColumns,
	only?: number,
): AsyncGenerator<EpisodeFrames> {
	const gathering = new Gathering(columns);
	const where = only === undefined ? undefined : `${columns.bookkeeping.episode_index} = ${Math.trunc(only)}`;
	try {
		for await (const chunk of readChunks(database, gathering.expressions, file, where)) {
			gathering.load(chunk);
			for (let from = 0; from < chunk.rowCount; ) {
				const until = gathering.endOfRun(from, chunk.rowCount);
				const episodeIndex = gathering.episodeAt(from);
				if (!Object.is(episodeIndex, gathering.episodeIndex)) {
					if (gathering.frames > 0) yield gathering.episode(false);
					gathering.begin(episodeIndex);
				}
				if (Number.isNaN(episodeIndex)) gathering.frames += until - from;
				else gathering.append(from, until);
				from = until;
			}
		}
	} catch (error) {
		if (gathering.frames > 0) yield gathering.episode(true);
		throw error;
	}
	if (gathering.frames > 0) yield gathering.episode(false);
}

/** The part of the current episode that was read. */
class Gathering {
	readonly expressions: string[] = [];
	readonly #features: readonly (FeatureColumn | undefined)[];
	readonly #locationOf = new Map<BookkeepingColumn, number>();
	readonly #integers = {
		episode_index: new Float64Array(maxChunkRows),
		frame_index: new Float64Array(maxChunkRows),
		index: new Float64Array(maxChunkRows),
		task_index: new Float64Array(maxChunkRows),
		subtask_index: new Float64Array(maxChunkRows),
	};
	readonly #timestamps = new FeatureColumn({dims: 1, isList: false, isFloat: false});
	episodeIndex = Number.NaN;
	frames = 0;
	#firstIndex: number | undefined;
	#taskIndex: number | undefined;
	#subtasks: SubtaskTurn[] = [];
	#frameOrder: string | undefined;
	#indexOrder: string | undefined;

	constructor({features, bookkeeping}: DataColumns) {
		this.#features = features.map(column => {
			if (!column) return undefined;
			this.expressions.push(column.expression);
			return new FeatureColumn(column.shape);
		});
		for (const name of bookkeepingColumns) {
			const expression = bookkeeping[name];
			if (expression === undefined) continue;
			this.#locationOf.set(name, this.expressions.length);
			this.expressions.push(expression);
		}
	}

	load(chunk: DuckDBDataChunk): void {
		let column = 0;
		for (const feature of this.#features) feature?.load(chunk, column++);
		for (const [name, place] of this.#locationOf) {
			if (name === 'timestamp') this.#timestamps.load(chunk, place);
			else readIntegers(columnVector(chunk, place), chunk.rowCount, this.#integers[name]);
		}
	}

	episodeAt(row: number): number {
		return this.#integers.episode_index[row] as number;
	}

	/** The row after the last that follows `from` and is of the same episode. */
	endOfRun(from: number, rows: number): number {
		const episodes = this.#integers.episode_index;
		const episode = episodes[from];
		let row = from + 1;
		while (row < rows && Object.is(episodes[row], episode)) row++;
		return row;
	}

	begin(episodeIndex: number): void {
		this.episodeIndex = episodeIndex;
		this.frames = 0;
		for (const feature of this.#features) feature?.clear();
		this.#timestamps.clear();
		this.#firstIndex = undefined;
		this.#taskIndex = undefined;
		this.#subtasks = [];
		this.#frameOrder = undefined;
		this.#indexOrder = undefined;
	}

	append(from: number, until: number): void {
		for (const feature of this.#features) feature?.append(from, until - from);
		if (this.#locationOf.has('timestamp')) this.#timestamps.append(from, until - from);
		if (this.#locationOf.has('task_index')) this.#taskIndex ??= this.#integers.task_index[from];
		if (this.#locationOf.has('frame_index'))
			this.#frameOrder ??= this.#disorder('frame_index', 0, from, until);
		if (this.#locationOf.has('index')) {
			this.#firstIndex ??= this.#integers.index[from] as number;
			this.#indexOrder ??= this.#disorder('index', this.#firstIndex, from, until);
		}
		if (this.#locationOf.has('subtask_index')) this.#follow(from, until);
		this.frames += until - from;
	}

	/** Where a column does not count on by one from `first`. */
	#disorder(column: 'frame_index' | 'index', first: number, from: number, until: number): string | undefined {
		const numbers = this.#integers[column];
		const offset = first + this.frames - from;
		for (let row = from; row < until; row++) {
			const expected = offset + row;
			const found = numbers[row] as number;
			if (found === expected) continue;
			const fault = found < expected ? 'repeats or goes back' : 'leaves a gap';
			return `its ${column} ${fault}: ${Number.isNaN(found) ? 'null' : found} where ${expected} was expected`;
		}
		return undefined;
	}

	#follow(from: number, until: number): void {
		const numbers = this.#integers.subtask_index;
		for (let row = from; row < until; row++) {
			const found = numbers[row] as number;
			const number = found >= 0 ? found : -1;
			if (number === (this.#subtasks.at(-1)?.number ?? -1)) continue;
			this.#subtasks.push({number, frame: this.frames + row - from});
		}
	}

	episode(cutOff: boolean): EpisodeFrames {
		return {
			episodeIndex: this.episodeIndex,
			frames: this.frames,
			signals: this.#features.map(feature => feature?.values),
			misshapen: this.#features.map(feature => feature?.misshapen ?? 0),
			timestamps: this.#locationOf.has('timestamp') ? (this.#timestamps.values as Float64Array) : undefined,
			firstIndex: this.#firstIndex,
			taskIndex: this.#taskIndex,
			subtasks: this.#subtasks,
			frameOrder: this.#frameOrder,
			indexOrder: this.#indexOrder,
			cutOff,
		};
	}
}
