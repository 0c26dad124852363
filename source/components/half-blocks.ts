import {type PixelSize, type Pixels, scaled} from '../picture/pixels.ts';
import type {Drawing, Segment} from './segment.ts';

/** The cells that a picture takes within others. @param tallness how many times a cell is as high as it is wide */
export function cellsWithin({width, height}: PixelSize, bound: PixelSize, tallness = 2): PixelSize {
	const share = Math.min(bound.width / width, (bound.height * tallness) / height);
	return {
		width: Math.max(1, Math.min(bound.width, Math.round(width * share))),
		height: Math.max(1, Math.min(bound.height, Math.round((height * share) / tallness))),
	};
}

/** From dark to bright, for where there are no colours. */
const ramp = ' .:-=+*#%@';

/** A picture in rows of cells: two pixels a cell by a half block, or its brightness as a character. */
export function pictureRows(
	pixels: Pixels,
	{width, height}: PixelSize,
	{ascii, light = false, colours = 'none'}: Drawing,
): readonly (readonly Segment[])[] {
	const small = scaled(pixels, {width, height: height * 2});
	const hasColours = !ascii && (colours === 'truecolor' || colours === '256');
	return Array.from({length: height}, (_, row) => {
		const top = (x: number) => colourAt(small, x, row * 2);
		const bottom = (x: number) => colourAt(small, x, row * 2 + 1);
		const cells = Array.from({length: width}, (_, x) => x);
		if (!hasColours) {
			const text = cells.map(x => shade((brightness(top(x)) + brightness(bottom(x))) / 2, light)).join('');
			return [text];
		}
		return cells.map((x): Segment => ({text: '▀', role: 'plain', paint: {above: top(x), below: bottom(x)}}));
	});
}

function shade(share: number, light: boolean): string {
	const place = Math.min(ramp.length - 1, Math.floor((light ? 1 - share : share) * ramp.length));
	return ramp[place] ?? ' ';
}

/** Rec. 709 luma, from 0 to 1. */
function brightness([red, green, blue]: Colour): number {
	return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

type Colour = readonly [red: number, green: number, blue: number];

function colourAt({width, data}: Pixels, x: number, y: number): Colour {
	const at = (y * width + x) * 3;
	return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}
