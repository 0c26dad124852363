import type {CardBlock} from '../../picture/card-blocks.ts';
import type {EncodedSize} from '../../picture/picture-tasks.ts';
import type {PictureThread} from '../../picture/picture-thread.ts';
import type {Pixels} from '../../picture/pixels.ts';

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
export async function decoded(bytes: Uint8Array, signal: AbortSignal): Promise<Pixels> {
	return (await thread()).decode(bytes, {bounds, side: longestSide, signal});
}

/** What a card's Markdown says. @throws where it cannot be read, or not in time */
export async function cardRead(markdown: string, signal: AbortSignal): Promise<readonly CardBlock[]> {
	return (await thread()).readCard(markdown, signal);
}

/** A picture as a terminal takes it. */
export async function encoded(pixels: Pixels, wanted: EncodedSize, signal: AbortSignal): Promise<string> {
	return (await thread()).encode(pixels, wanted, signal);
}
