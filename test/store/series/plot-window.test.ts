import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	cellAt,
	cursorMoved,
	type PlotPlace,
	plotStart,
	windowZoomed,
} from '../../../source/store/series/plot-window.ts';

type Step = (place: PlotPlace) => PlotPlace;
const width = 60;
const step = fc.oneof(
	fc.integer({min: -80, max: 80}).map(
		(by): Step =>
			place =>
				cursorMoved(place, by, width),
	),
	fc.constantFrom(0.5, 2).map(
		(factor): Step =>
			place =>
				windowZoomed(place, factor, 20_000),
	),
);

test('whatever is pressed, the window stays in the episode and the cursor in the window', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), steps => {
			let place = plotStart;
			for (const take of steps) {
				place = take(place);
				const {window, cursor} = place;
				expect(window.from).toBeGreaterThanOrEqual(0);
				expect(window.until).toBeLessThanOrEqual(1);
				expect(window.until - window.from).toBeGreaterThan(8 / 20_001);
				if (cursor !== undefined) expect(cellAt(cursor, window, width)).toBeDefined();
			}
		}),
	);
});

test('the first step brings the cursor up at the beginning, each further one moves it a cell', () => {
	const first = cursorMoved(plotStart, 1, width);
	expect(cellAt(first.cursor, first.window, width)).toBe(0);
	let place = first;
	for (let cell = 1; cell < width; cell++) {
		place = cursorMoved(place, 1, width);
		expect(cellAt(place.cursor, place.window, width)).toBe(cell);
	}
	expect(cellAt(cursorMoved(place, 1, width).cursor, place.window, width)).toBe(width - 1);
	expect(cellAt(cursorMoved(plotStart, -1, width).cursor, plotStart.window, width)).toBe(width - 1);
});

test('looking closer leaves what is looked at where it is, and looking wider comes back to the whole', () => {
	const at = cursorMoved(cursorMoved(plotStart, 1, width), 20, width);
	const closer = windowZoomed(at, 0.5, 1000);
	expect(closer.window.until - closer.window.from).toBeCloseTo(0.5);
	expect(cellAt(closer.cursor, closer.window, width)).toBe(cellAt(at.cursor, at.window, width));
	expect(windowZoomed(closer, 2, 1000).window).toEqual({from: 0, until: 1});
	expect(windowZoomed(plotStart, 0.5, 5).window).toEqual({from: 0, until: 1});
});
