import {DuckDBBlobValue, type DuckDBDataChunk, DuckDBListValue, type DuckDBType} from '@duckdb/node-api';
import {type LanguageRows, languageExpression, persistentLanguage} from './language.ts';
import {readChunks} from './read-chunks.ts';
import {flattened} from './read-data-columns.ts';
import type {ReadDatabase} from './read-database.ts';
import {ExactColumn, type ExactDtype, sqlTypeOf} from './read-exact-column.ts';
import {columnVector, doubleValues} from './read-feature-column.ts';
import {quotedIdentifier} from './sql.ts';
import type {FrameValues} from './write-description.ts';

/** A feature that is read as it is stored: `width` values a frame. */
export type WholeFeature = {
	readonly key: string;
	readonly dtype: ExactDtype | 'string' | 'image' | 'language';
	readonly width: number;
};

/** Every value of an episode, valid until the next is asked for. */
export type WholeEpisode = {
	readonly episodeIndex: number;
	readonly frames: number;
	/** Reasons why it is not whole, each the end of a sentence about it. */
	readonly flaws: readonly string[];
	/** A feature's values from one frame until before another; a copy. */
	readonly values: (key: string, from: number, until: number) => FrameValues;
	/** Seconds, as stored. */
	readonly timestamps: Float64Array;
	/** The task's number of each frame. */
	readonly tasks: Float64Array;
	/** The subtask's number of each frame; negative outside of any. Absent where the dataset has none. */
	readonly subtasks: Float64Array | undefined;
};

/**
 * Streams a data file with every value as it is stored, one episode after the other as its rows lie. Rows without an
 * episode come as an episode -1.
 *
 * @param hasSubtasks whether `subtask_index` is among the file's columns, as `info.json` says.
 * @param where a condition on the rows; see `readChunks`.
 * @throws {Error} where a column is missing or a row group cannot be decoded; the current episode is then lost.
 */
export async function* readWholeEpisodes(
	database: ReadDatabase,
	file: string,
	features: readonly WholeFeature[],
	hasSubtasks: boolean,
	where?: string,
): AsyncGenerator<WholeEpisode> {
	const gathering = new WholeGathering(await database.columnsOf(file), features, hasSubtasks);
	for await (const chunk of readChunks(database, gathering.expressions, file, where)) {
		gathering.load(chunk);
		for (let from = 0; from < chunk.rowCount; ) {
			const until = gathering.endOfRun(from, chunk.rowCount);
			if (gathering.startsAnother(from)) {
				if (gathering.frames > 0) yield gathering.episode();
				gathering.begin(from);
			}
			gathering.append(from, until);
			from = until;
		}
	}
	if (gathering.frames > 0) yield gathering.episode();
}

const bookkeeping = ['episode_index', 'frame_index', 'task_index', 'timestamp', 'subtask_index'] as const;

/** The part of the current episode that was read. */
class WholeGathering {
	readonly expressions: string[] = [];
	readonly #features: readonly WholeFeature[];
	readonly #columns: ReadonlyMap<
		string,
		ExactColumn | ValueColumn<string> | ValueColumn<Uint8Array> | LanguageColumn
	>;
	readonly #book = new Map<string, ExactColumn>();
	/** Of the current chunk. */
	#episodes = new Float64Array(0);
	#episode: number | undefined;
	frames = 0;

	constructor(
		types: ReadonlyMap<string, DuckDBType>,
		features: readonly WholeFeature[],
		hasSubtasks: boolean,
	) {
		this.#features = features;
		this.#columns = new Map(features.map(feature => [feature.key, this.#column(feature, types)]));
		for (const name of bookkeeping) {
			if (name === 'subtask_index' && !hasSubtasks) continue;
			if (!types.has(name)) throw new Error(`it has no column "${name}"`);
			const cast = `CAST(${quotedIdentifier(name)} AS DOUBLE)`;
			// Rows without an episode get a number that no episode has.
			this.expressions.push(name === 'episode_index' ? `coalesce(${cast}, -1)` : cast);
			this.#book.set(name, new ExactColumn('float64', 1, false));
		}
	}

	#column({key, dtype, width}: WholeFeature, types: ReadonlyMap<string, DuckDBType>) {
		const type = types.get(key);
		if (dtype === 'language') {
			this.expressions.push(languageExpression(key, type !== undefined));
			return new LanguageColumn(key === persistentLanguage);
		}
		if (!type) throw new Error(`it has no column "${key}"`);
		if (dtype === 'image') {
			this.expressions.push(pictureExpression(key, type));
			return pictureColumn();
		}
		const {expression, isList} = flattened(key, type);
		if (dtype === 'string') {
			this.expressions.push(isList ? `${expression}[1]` : expression);
			return textColumn();
		}
		this.expressions.push(`CAST(${expression} AS ${sqlTypeOf(dtype)}${isList ? '[]' : ''})`);
		if (!isList && width > 1) throw new Error(`its column "${key}" holds one value a frame, not ${width}`);
		return new ExactColumn(dtype, width, isList);
	}

	load(chunk: DuckDBDataChunk): void {
		let place = 0;
		for (const column of this.#columns.values()) column.load(chunk, place++);
		for (const [name, column] of this.#book) {
			if (name === 'episode_index') {
				this.#episodes = doubleValues(columnVector(chunk, place), chunk.rowCount).slice();
			}
			column.load(chunk, place++);
		}
	}

	/** The row after the last that follows `from` and is of the same episode. */
	endOfRun(from: number, rows: number): number {
		let row = from + 1;
		while (row < rows && this.#episodes[row] === this.#episodes[from]) row++;
		return row;
	}

	startsAnother(row: number): boolean {
		return this.#episodes[row] !== this.#episode;
	}

	begin(row: number): void {
		this.#episode = this.#episodes[row];
		this.frames = 0;
		for (const column of [...this.#columns.values(), ...this.#book.values()]) column.clear();
	}

	append(from: number, until: number): void {
		for (const column of this.#columns.values()) column.append(from, until - from);
		for (const column of this.#book.values()) column.append(from, until - from);
		this.frames += until - from;
	}

	episode(): WholeEpisode {
		const book = (name: string) => this.#book.get(name)?.values(0, this.frames) as Float64Array;
		return {
			episodeIndex: this.#episode ?? Number.NaN,
			frames: this.frames,
			flaws: [...this.#misshapen(), ...disorder(book('frame_index'))],
			values: (key, from, until) => this.#columns.get(key)?.values(from, until) ?? [],
			timestamps: book('timestamp'),
			tasks: book('task_index'),
			subtasks: this.#book.has('subtask_index') ? book('subtask_index') : undefined,
		};
	}

	#misshapen(): string[] {
		const counts = [
			...this.#features.map(({key}) => [key, this.#columns.get(key)?.misshapen ?? 0] as const),
			...[...this.#book].map(([name, column]) => [name, column.misshapen] as const),
		];
		return counts
			.filter(([, misshapen]) => misshapen > 0)
			.map(([key, misshapen]) => `${misshapen} of its frames have no whole "${key}"`);
	}
}

function disorder(frameIndex: Float64Array): string[] {
	const at = frameIndex.findIndex((frame, place) => frame !== place);
	return at < 0 ? [] : [`its frame_index is ${frameIndex[at]} where ${at} was expected`];
}

/** A column of values that are kept as they are, one a frame; a frame without one gets `empty`. */
class ValueColumn<T> {
	readonly #taken: (item: unknown) => T | undefined;
	readonly #empty: T;
	#kept: T[] = [];
	#chunk: DuckDBDataChunk | undefined;
	#place = 0;
	misshapen = 0;

	constructor(taken: (item: unknown) => T | undefined, empty: T) {
		this.#taken = taken;
		this.#empty = empty;
	}

	load(chunk: DuckDBDataChunk, column: number): void {
		this.#chunk = chunk;
		this.#place = column;
	}

	append(from: number, count: number): void {
		const vector = this.#chunk?.getColumnVector(this.#place);
		for (let row = from; row < from + count; row++) {
			const value = this.#taken(vector?.getItem(row));
			if (value === undefined) this.misshapen++;
			this.#kept.push(value ?? this.#empty);
		}
	}

	get length(): number {
		return this.#kept.length;
	}

	values(from: number, until: number): T[] {
		return this.#kept.slice(from, until);
	}

	clear(): void {
		this.#kept = [];
		this.misshapen = 0;
	}
}

const textColumn = () => new ValueColumn(item => (typeof item === 'string' ? item : undefined), '');

/** Pictures as files of PNG or JPEG. */
const pictureColumn = () =>
	new ValueColumn(
		item =>
			item instanceof DuckDBBlobValue && item.bytes.length > 0 ? Uint8Array.from(item.bytes) : undefined,
		new Uint8Array(0),
	);

/** A column of language; of what holds for the episode only the first frame's list is read, which all frames have. */
class LanguageColumn extends ValueColumn<LanguageRows> {
	readonly #isPersistent: boolean;

	constructor(isPersistent: boolean) {
		super(item => (item instanceof DuckDBListValue ? item : null), null);
		this.#isPersistent = isPersistent;
	}

	override append(from: number, count: number): void {
		if (!this.#isPersistent) super.append(from, count);
		else if (this.length === 0) super.append(from, 1);
	}

	override values(from: number, until: number): LanguageRows[] {
		if (!this.#isPersistent) return super.values(from, until);
		return Array<LanguageRows>(until - from).fill(super.values(0, 1)[0] ?? null);
	}
}

/** A picture's bytes as they lie in a data file: a struct with `bytes`, as the datasets library writes images. */
function pictureExpression(key: string, type: DuckDBType): string {
	const column = quotedIdentifier(key);
	const spelled = String(type);
	if (/^STRUCT\(/.test(spelled) && /\bbytes\b/.test(spelled)) return `${column}.bytes`;
	if (spelled === 'BLOB') return column;
	throw new Error(`its column "${key}" holds ${spelled.slice(0, 80)}, no pictures`);
}
