import type {Pixels} from './pixels.ts';

/** Colours that every terminal with sixel has registers for. */
const colours = 256;

/** A picture as a sixel sequence, in its own size: as many pixels of the screen as it has. */
export async function encodeSixel({width, height, data}: Pixels): Promise<string> {
	// The package's main entry would bring its decoder.
	const {default: sixel} = await import('sixel/lib/SixelEncoder.js');
	const rgba = new Uint8Array(width * height * 4);
	for (let pixel = 0; pixel < width * height; pixel++) {
		for (let colour = 0; colour < 3; colour++) rgba[pixel * 4 + colour] = data[pixel * 3 + colour] ?? 0;
		rgba[pixel * 4 + 3] = 255;
	}
	return sixel.image2sixel(rgba, width, height, colours);
}
