import {createStore, type StoreApi} from 'zustand/vanilla';
import type {EncodedSize} from '../../picture/picture-tasks.ts';
import type {PixelSize, Pixels} from '../../picture/pixels.ts';

/** What shows pictures in pixels on cells of the screen. */
export type Board = {
	/** @returns what each of these cells is to hold. */
	put(picture: string, cells: PixelSize): string;
	drop(mark: string): void;
};

/** A picture that is to be shown in pixels. */
export type WantedPicture = {
	readonly pixels: Pixels;
	/** The cells that it is to cover. */
	readonly cells: PixelSize;
	readonly encoded: EncodedSize;
};

/** A picture that the board has, or will have in a moment. */
export type DrawnPicture = {readonly cells: PixelSize; readonly mark: string | undefined};

type Entry = DrawnPicture & {readonly giveUp: AbortController; readonly board: Board};

/** The pictures that a terminal shows in pixels: encoded once for the cells that they cover, and kept until others come. */
export class DrawnPictures {
	readonly known: StoreApi<ReadonlyMap<Pixels, DrawnPicture>> = createStore<
		ReadonlyMap<Pixels, DrawnPicture>
	>(() => new Map());
	readonly #encode: (pixels: Pixels, wanted: EncodedSize, signal: AbortSignal) => Promise<string>;
	readonly #entries = new Map<Pixels, Entry>();

	constructor(encode: (pixels: Pixels, wanted: EncodedSize, signal: AbortSignal) => Promise<string>) {
		this.#encode = encode;
	}

	/** Has the board show pictures; those of them that it has on as many cells stay as they are. */
	want(board: Board, pictures: readonly WantedPicture[]): void {
		for (const {pixels, cells, encoded} of pictures) {
			const entry = this.#entries.get(pixels);
			if (entry !== undefined && isSame(entry.cells, cells)) continue;
			this.#drop(pixels);
			const next: Entry = {cells, mark: undefined, giveUp: new AbortController(), board};
			this.#entries.set(pixels, next);
			void this.#draw(pixels, encoded, next);
		}
		this.#tell();
	}

	/** Forgets all but these. */
	keep(pictures: ReadonlySet<Pixels>): void {
		for (const pixels of [...this.#entries.keys()]) if (!pictures.has(pixels)) this.#drop(pixels);
		this.#tell();
	}

	async #draw(pixels: Pixels, encoded: EncodedSize, entry: Entry): Promise<void> {
		const {cells, giveUp, board} = entry;
		try {
			const picture = await this.#encode(pixels, encoded, giveUp.signal);
			if (!giveUp.signal.aborted) this.#entries.set(pixels, {...entry, mark: board.put(picture, cells)});
		} catch {
			// What can't be encoded, or not in time, is shown without.
			if (!giveUp.signal.aborted) this.#entries.delete(pixels);
		}
		this.#tell();
	}

	#drop(pixels: Pixels): void {
		const entry = this.#entries.get(pixels);
		if (entry === undefined) return;
		this.#entries.delete(pixels);
		entry.giveUp.abort();
		if (entry.mark !== undefined) entry.board.drop(entry.mark);
	}

	#tell(): void {
		const drawn = new Map<Pixels, DrawnPicture>(this.#entries);
		const before = this.known.getState();
		const isSameAll =
			drawn.size === before.size && [...drawn].every(([pixels, entry]) => before.get(pixels) === entry);
		if (!isSameAll) this.known.setState(drawn, true);
	}
}

function isSame(one: PixelSize, other: PixelSize): boolean {
	return one.width === other.width && one.height === other.height;
}
