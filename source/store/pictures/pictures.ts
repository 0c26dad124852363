import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {EpisodeFrame} from '../../contract/local-frames.ts';
import type {CardBlock} from '../../picture/card-blocks.ts';
import type {EncodedSize} from '../../picture/picture-tasks.ts';
import type {PictureThread} from '../../picture/picture-thread.ts';
import type {PixelSize, Pixels} from '../../picture/pixels.ts';

/** A picture of an episode, as far as it is there. */
export type Picture = {
	/** The camera, or what else it is of. */
	readonly of: string;
	readonly which: 'first' | 'last' | 'thumbnail';
	/** Where it was taken from. */
	readonly source?: string | undefined;
	readonly pixels?: Pixels | undefined;
	/** For a depth camera, what its greys stand for. */
	readonly depth?: EpisodeFrame['depth'];
	/** Why there is none; without it and without pixels it is being read. */
	readonly problem?: string | undefined;
};

/** Why there are none where a service has neither frames nor a thumbnail. */
export const noPictures = 'The service has neither a thumbnail nor frames of it.';

/** The picture in a service's frame, or the reason why there is none. @throws PictureError if it is not an image */
export async function pictureOfFrame(
	{png, problem, source, depth}: EpisodeFrame,
	signal: AbortSignal,
): Promise<Pick<Picture, 'pixels' | 'problem' | 'source' | 'depth'>> {
	if (png === null) return {problem: problem ?? 'there is none', source: source ?? undefined};
	const pixels = await decoded(Buffer.from(png, 'base64'), signal);
	return {pixels, source: source ?? undefined, depth};
}

/** The picture at the address of an episode's thumbnail. @throws with the reason */
export async function pictureAt(
	client: Pick<Client, 'picture'>,
	address: string,
	signal: AbortSignal,
): Promise<Pick<Picture, 'pixels'>> {
	return {pixels: await decoded(await client.picture(address, {signal}), signal)};
}

/** Somewhat more than 4K, which no camera of a robot has; decoding takes some 30 bytes a pixel for a moment. */
const bounds = {pixels: 9_000_000};

/** Pixels of the longer side that are kept of a picture: no larger is it shown. */
export const longestSide = 640;

let loading: Promise<PictureThread> | undefined;

/** One thread for everybody; nothing of it is loaded before the first picture. */
function thread(): Promise<PictureThread> {
	loading ??= import('../../picture/picture-thread.ts').then(module => new module.PictureThread());
	return loading;
}

/** A PNG or JPEG as pixels, no larger than pictures are shown. @throws PictureError for what is no picture */
async function decoded(bytes: Uint8Array, signal: AbortSignal): Promise<Pixels> {
	return (await thread()).decode(bytes, {bounds, side: longestSide, signal});
}

/** A card's Markdown as blocks. @throws if it cannot be read, or not in time */
export async function cardRead(markdown: string, signal: AbortSignal): Promise<readonly CardBlock[]> {
	return (await thread()).readCard(markdown, signal);
}

/** A picture as a terminal takes it. */
export async function encoded(pixels: Pixels, wanted: EncodedSize, signal: AbortSignal): Promise<string> {
	return (await thread()).encode(pixels, wanted, signal);
}

/** Draws pictures in pixels on cells of the screen. */
type RendererParts = {
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

type Entry = DrawnPicture & {readonly giveUp: AbortController; readonly board: RendererParts};

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
	want(board: RendererParts, pictures: readonly WantedPicture[]): void {
		for (const {pixels, cells, encoded} of pictures) {
			const entry = this.#entries.get(pixels);
			if (entry !== undefined && isSame(entry.cells, cells)) continue;
			this.#drop(pixels);
			const next: Entry = {cells, mark: undefined, giveUp: new AbortController(), board};
			this.#entries.set(pixels, next);
			void this.#draw(pixels, encoded, next);
		}
		this.#notify();
	}

	/** Forgets all but these. */
	keep(pictures: ReadonlySet<Pixels>): void {
		for (const pixels of [...this.#entries.keys()]) if (!pictures.has(pixels)) this.#drop(pixels);
		this.#notify();
	}

	async #draw(pixels: Pixels, encoded: EncodedSize, entry: Entry): Promise<void> {
		const {cells, giveUp, board} = entry;
		try {
			const picture = await this.#encode(pixels, encoded, giveUp.signal);
			if (!giveUp.signal.aborted) this.#entries.set(pixels, {...entry, mark: board.put(picture, cells)});
		} catch {
			// A picture that cannot be encoded in time is left out.
			if (!giveUp.signal.aborted) this.#entries.delete(pixels);
		}
		this.#notify();
	}

	#drop(pixels: Pixels): void {
		const entry = this.#entries.get(pixels);
		if (entry === undefined) return;
		this.#entries.delete(pixels);
		entry.giveUp.abort();
		if (entry.mark !== undefined) entry.board.drop(entry.mark);
	}

	#notify(): void {
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
