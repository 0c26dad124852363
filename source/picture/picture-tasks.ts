import {decodePicture, encodePng, type PictureBounds} from './decode.ts';
import {fitWithin, type PixelSize, type Pixels, scaled} from './pixels.ts';

/** Tasks that take too long between two keys, and run in a thread of their own. */
export type PictureTask =
	| {
			readonly is: 'decode';
			readonly bytes: Uint8Array;
			readonly bounds: PictureBounds;
			/** The longer side of what is given back is at most this. */
			readonly side: number;
	  }
	| {readonly is: 'encode'; readonly pixels: Pixels; readonly wanted: EncodedSize}
	| {readonly is: 'card'; readonly markdown: string};

export type EncodedSize = {
	/** A PNG, given as base64, or a sixel sequence. */
	readonly format: 'png' | 'sixel';
	readonly size: PixelSize;
	/** Where it would be longer, it is made smaller. */
	readonly mostCharacters: number;
};

/** A PNG or JPEG as pixels, no larger than they are shown. @throws {PictureError} */
export async function decodeWithin({bytes, bounds, side}: PictureTask & {is: 'decode'}): Promise<Pixels> {
	const pixels = await decodePicture(bytes, bounds);
	return scaled(pixels, fitWithin(pixels, {width: side, height: side}));
}

/** A side below which making a picture smaller saves nothing any more. */
const leastSide = 16;

/** A picture in the size in which it is shown, in no more characters than wanted. */
export async function encodeWithin(
	pixels: Pixels,
	{format, size, mostCharacters}: EncodedSize,
): Promise<string> {
	// A picture that the terminal scales by itself is not sent larger than it is.
	let next = format === 'png' ? fitWithin(pixels, size) : size;
	for (;;) {
		const shown = scaled(pixels, next);
		const text =
			format === 'png' ? Buffer.from(await encodePng(shown)).toString('base64') : await encodeSixel(shown);
		if (text.length <= mostCharacters || Math.max(next.width, next.height) <= leastSide) return text;
		const share = Math.min(0.9, Math.sqrt(mostCharacters / text.length));
		next = {
			width: Math.max(1, Math.floor(next.width * share)),
			height: Math.max(1, Math.floor(next.height * share)),
		};
	}
}

/** Colours that every terminal with sixel has registers for. */
const colours = 256;

/** A picture as a sixel sequence, in its own size: as many pixels of the screen as it has. */
async function encodeSixel({width, height, data}: Pixels): Promise<string> {
	// The package's main entry would bring its decoder.
	const {default: sixel} = await import('sixel/lib/SixelEncoder.js');
	const rgba = new Uint8Array(width * height * 4);
	for (let pixel = 0; pixel < width * height; pixel++) {
		for (let colour = 0; colour < 3; colour++) rgba[pixel * 4 + colour] = data[pixel * 3 + colour] ?? 0;
		rgba[pixel * 4 + 3] = 255;
	}
	return sixel.image2sixel(rgba, width, height, colours);
}
