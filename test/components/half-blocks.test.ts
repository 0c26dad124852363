import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cellsWithin, pictureRows} from '../../source/components/half-blocks.ts';
import {lineWidth, renderLine} from '../../source/components/segment.ts';

const looks = {colour: true, attributes: true, ascii: false};
/** White above black. */
const pixels = {width: 1, height: 2, data: Uint8Array.from([255, 255, 255, 0, 0, 0])};

test('a cell is two pixels, in as many colours as the terminal has', () => {
	const cells = {width: 1, height: 1};
	const drawn = (colours: '256' | 'truecolor') => {
		const drawing = {...looks, colours};
		return renderLine(pictureRows(pixels, cells, drawing)[0] ?? [], 10, drawing);
	};
	expect(drawn('truecolor')).toBe('\u001b[38;2;255;255;255;48;2;0;0;0m▀\u001b[39;49m');
	expect(drawn('256')).toBe('\u001b[38;5;231;48;5;16m▀\u001b[39;49m');
});

test('without colours it is brightness, and ASCII', () => {
	const bright = {width: 1, height: 1, data: Uint8Array.from([255, 255, 255])};
	const size = {width: 3, height: 1};
	expect(pictureRows(bright, size, looks)).toEqual([['@@@']]);
	expect(pictureRows(bright, size, {...looks, light: true})).toEqual([['   ']]);
	expect(pictureRows(pixels, size, {...looks, ascii: true, colours: 'truecolor'})).toEqual([['===']]);
});

test('a picture keeps its shape within the cells that there are', () => {
	const side = fc.integer({min: 1, max: 2000});
	const size = fc.record({width: side, height: side});
	const room = fc.record({
		width: fc.integer({min: 1, max: 100}),
		height: fc.integer({min: 1, max: 50}),
	});
	fc.assert(
		fc.property(size, room, (given, bound) => {
			const {width, height} = cellsWithin(given, bound);
			expect(width).toBeLessThanOrEqual(bound.width);
			expect(height).toBeLessThanOrEqual(bound.height);
			const rows = pictureRows(
				{width: 1, height: 1, data: Uint8Array.of(9, 9, 9)},
				{width, height},
				{...looks, colours: '256'},
			);
			expect(rows).toHaveLength(height);
			for (const row of rows) expect(lineWidth(row)).toBe(width);
		}),
	);
	expect(cellsWithin({width: 640, height: 480}, {width: 40, height: 40})).toEqual({width: 40, height: 15});
});
