import {expect, test} from 'vitest';
import {
	type LayoutLook,
	layPictures,
	steps,
	wantedPictures,
} from '../../../source/panes/pictures/picture-layout.ts';
import type {PicturesKnown} from '../../../source/store/pictures/picture-watch.ts';
import type {PictureWay} from '../../../source/terminal/pictures/picture-protocol.ts';

const drawing = {colour: true, attributes: true, ascii: false};
const cell = {width: 10, height: 20};
const kitty: PictureWay = {kind: 'kitty', cell, mostCharacters: 1000};
const look = (lines: number, way?: PictureWay): LayoutLook => ({lines, drawing, way, mostCells: 100});

/** So many pictures of a camera. */
const pictures = (count: number, width = 640, height = 480): PicturesKnown => ({
	episodeId: 'a',
	isReading: false,
	problem: undefined,
	pictures: Array.from({length: count}, () => ({
		of: 'front',
		which: 'first',
		pixels: {width, height, data: new Uint8Array()},
	})),
});

test('half blocks fill the room, and no row of them is higher than the screen', () => {
	const layout = layPictures(pictures(4), 78, look(20));
	expect(layout.rows.map(({top, height}) => [top, height])).toEqual([
		[0, 15],
		[15, 15],
	]);
	expect(layout.rows[0]?.pictures[0]?.cells).toEqual({width: 37, height: 14});
	expect(steps(layout, 20)).toBe(2);
	expect(layPictures(pictures(2), 158, look(20)).height).toBe(20);
});

test('in pixels all show at once where that is not too small', () => {
	expect(layPictures(pictures(4), 158, look(46, kitty))).toMatchObject({
		height: 46,
		rows: [{top: 0}, {top: 23}],
	});
	expect(layPictures(pictures(4), 78, look(20, kitty)).height).toBe(20);
	expect(layPictures(pictures(8), 78, look(20, kitty)).rows[0]?.height).toBe(15);
});

test('the pictures that show whole are wanted, in the pixels of their cells and no larger than the terminal takes', () => {
	const layout = layPictures(pictures(6), 78, look(20, kitty));
	const wanted = wantedPictures(layout, kitty, {from: 0, lines: 20});
	expect(wanted).toHaveLength(2);
	expect(wanted[0]).toMatchObject({
		cells: {width: 37, height: 14},
		encoded: {format: 'png', size: {width: 370, height: 280}, mostCharacters: 1000},
	});
	expect(wantedPictures(layout, kitty, {from: 15, lines: 20})).toHaveLength(2);
	expect(wantedPictures(layout, kitty, {from: 2, lines: 20})).toHaveLength(0);
	expect(wantedPictures(layout, {kind: 'blocks'}, {from: 0, lines: 20})).toEqual([]);
});

test('sixel is no larger than 640 pixels a side, in bands of six, and within its cells', () => {
	const large = {width: 24, height: 50};
	const sixel: PictureWay = {kind: 'sixel', cell: large, mostCharacters: 1000};
	for (const [width, height] of [
		[640, 480],
		[480, 640],
		[640, 20],
	] as const) {
		const layout = layPictures(pictures(1, width, height), 158, look(46, sixel));
		const [wanted] = wantedPictures(layout, sixel, {from: 0, lines: 46});
		if (wanted === undefined) throw new Error('not wanted');
		const {cells, encoded} = wanted;
		expect(encoded.size.height % 6).toBe(0);
		expect(encoded.size.width).toBe(cells.width * large.width);
		expect(encoded.size.height).toBeLessThanOrEqual(cells.height * large.height);
		expect(Math.max(encoded.size.width, encoded.size.height)).toBeLessThanOrEqual(640);
	}
});

test('a missing picture is named, and scrolling ends at the last', () => {
	const nothing = {episodeId: 'a', pictures: [], isReading: false, problem: 'The dataset has no cameras.'};
	expect(layPictures(nothing, 78, look(20)).words).toEqual(['The dataset has no cameras.']);
	expect(layPictures(nothing, 78, look(20, {kind: 'off'})).words.join(' ')).toContain('Images are off');
	expect(steps(layPictures(nothing, 78, look(20)), 20)).toBe(1);
	expect(steps(layPictures(pictures(12), 78, look(20)), 20)).toBe(6);
	expect(steps(layPictures(pictures(4), 78, look(30)), 30)).toBe(1);
});
