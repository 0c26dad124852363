/** Red, green and blue, 0 to 255. */
export type PaintColour = readonly [red: number, green: number, blue: number];

/** The two colours of a cell that is a piece of a picture. */
export type Paint = {readonly above: PaintColour; readonly below: PaintColour};

/** A cell's text in two colours of its own. */
export function painted(text: string, {above, below}: Paint, colours: '256' | 'truecolor'): string {
	return `\u001b[38;${parameters(above, colours)};48;${parameters(below, colours)}m${text}\u001b[39;49m`;
}

function parameters(colour: PaintColour, colours: '256' | 'truecolor'): string {
	if (colours === '256') return `5;${paletteNumber(colour)}`;
	return `2;${colour.map(coarse).join(';')}`;
}

/** In steps of 8: no eye sees them in a cell, and neighbours are alike more often, which is bytes saved. */
function coarse(value: number): number {
	return Math.min(255, Math.round(value / 8) * 8);
}

/** The levels of the cube of 216 colours that xterm's palette has from 16 on; greys follow from 232. */
const levels = [0, 95, 135, 175, 215, 255];

function paletteNumber([red, green, blue]: PaintColour): number {
	if (Math.max(red, green, blue) - Math.min(red, green, blue) < 12) {
		const grey = Math.round(((red + green + blue) / 3 - 8) / 10);
		if (grey >= 0 && grey <= 23) return 232 + grey;
	}
	const [r = 0, g = 0, b = 0] = [red, green, blue].map(nearestLevel);
	return 16 + 36 * r + 6 * g + b;
}

function nearestLevel(value: number): number {
	let nearest = 0;
	for (const [place, level] of levels.entries()) {
		if (Math.abs(level - value) < Math.abs((levels[nearest] ?? 0) - value)) nearest = place;
	}
	return nearest;
}
