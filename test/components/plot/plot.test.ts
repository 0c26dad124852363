import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Course, columnsOf, rangeOf} from '../../../source/components/plot/columns.ts';
import {cellSegments, dotsAcross, plotCells} from '../../../source/components/plot/plot-cells.ts';
import {percentileBox, rangeStrip} from '../../../source/components/plot/range-strip.ts';
import {isDrawn, signsFor} from '../../../source/components/signs.ts';

const value = fc.oneof(
	{arbitrary: fc.double({noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9}), weight: 6},
	fc.constant(null),
);
const course = fc.array(value, {maxLength: 300}).map(
	(values): Course => ({
		min: values,
		max: values.map(each => (each === null ? null : each + Math.abs(each) / 7)),
	}),
);
const widths = fc.integer({min: 1, max: 120});
const drawing = {width: widths, height: fc.integer({min: 1, max: 9}), ascii: fc.boolean()};

const known = (values: readonly (number | null)[]) => values.filter(each => each !== null);

test('no extreme of any bucket is lost, however many places there are', () => {
	fc.assert(
		fc.property(course, widths, (given, count) => {
			const columns = columnsOf(given, count);
			expect(columns).toHaveLength(count);
			const lows = known(given.min);
			const expected =
				lows.length === 0 ? undefined : {low: Math.min(...lows), high: Math.max(...known(given.max))};
			expect(rangeOf([columns])).toEqual(expected);
		}),
	);
});

test('a gap stays a gap, and lies where it was', () => {
	const columns = columnsOf({min: [1, 2, null, null, 5, 6], max: [1, 2, null, null, 5, 6]}, 6);
	expect(columns.map(each => each?.high)).toEqual([1, 2, undefined, undefined, 5, 6]);
	const drawn = plotCells([{extents: columns, role: 'accent'}], {width: 6, height: 3, ascii: true});
	expect(drawn.map(row => row.map(({text}) => text).join(''))).toEqual(['    **', '      ', '**    ']);
});

test('a part of a course is drawn over the whole width', () => {
	const values = Array.from({length: 100}, (_, at) => at);
	const columns = columnsOf({min: values, max: values}, 10, {from: 0.5, until: 0.7});
	expect(columns[0]).toEqual({low: 50, high: 51});
	expect(columns[9]).toEqual({low: 68, high: 69});
	const beyond = columnsOf({min: [1, 2], max: [1, 2]}, 4, {from: -0.5, until: 1.5});
	expect(beyond.map(each => each?.low)).toEqual([undefined, 1, 2, undefined]);
});

test('a plot has exactly its rows and cells, each drawn by what the terminal can draw', () => {
	fc.assert(
		fc.property(course, course, fc.record(drawing), (one, other, options) => {
			const across = dotsAcross(options.width, options.ascii);
			const traces = [
				{extents: columnsOf(one, across), role: 'accent' as const},
				{extents: columnsOf(other, across), role: 'dim' as const, dotted: true},
			];
			const rows = plotCells(traces, options);
			expect(rows).toHaveLength(options.height);
			for (const row of rows) {
				expect(row).toHaveLength(options.width);
				const text = row.map(cell => cell.text).join('');
				expect(text).toHaveLength(options.width);
				expect(isDrawn(text, options.ascii)).toBe(true);
			}
		}),
	);
});

test('each place with a value shows one, the least at the foot and the greatest at the head', () => {
	fc.assert(
		fc.property(course, widths, fc.integer({min: 2, max: 6}), (given, width, height) => {
			const columns = columnsOf(given, width);
			const rows = plotCells([{extents: columns, role: 'accent'}], {width, height, ascii: true});
			for (const [x, extent] of columns.entries()) {
				expect(rows.some(row => row[x]?.text === '*')).toBe(extent !== undefined);
			}
			const range = rangeOf([columns]);
			if (range === undefined || range.low === range.high) return;
			expect(rows[0]?.some(({text}) => text === '*')).toBe(true);
			expect(rows.at(-1)?.some(({text}) => text === '*')).toBe(true);
		}),
	);
});

test('what never changes is a line in the middle', () => {
	const extents = columnsOf({min: [7, 7, 7], max: [7, 7, 7]}, 4);
	const rows = plotCells([{extents, role: 'accent'}], {width: 4, height: 3, ascii: true});
	expect(rows.map(row => row.map(({text}) => text).join(''))).toEqual(['    ', '****', '    ']);
});

test('a steep rise leaves no hole in the line', () => {
	const extents = columnsOf({min: [0, 100], max: [0, 100]}, 2);
	const rows = plotCells([{extents, role: 'accent'}], {width: 2, height: 5, ascii: true});
	expect(rows.map(row => row.map(({text}) => text).join(''))).toEqual([' *', ' *', ' *', ' *', '* ']);
});

test('the cursor is one cell, and the others keep their look', () => {
	const cells = [...'abcd'].map(text => ({text, role: 'dim' as const}));
	expect(cellSegments(cells, 2)).toEqual([
		{text: 'ab', role: 'dim'},
		{text: 'c', role: 'caret'},
		{text: 'd', role: 'dim'},
	]);
	expect(cellSegments(cells)).toEqual([{text: 'abcd', role: 'dim'}]);
});

const unicode = signsFor({unicode: true});
const strip = (own: [number, number] | undefined, usual: [number, number] | undefined, width = 11) =>
	rangeStrip(own && {low: own[0], high: own[1]}, usual && {low: usual[0], high: usual[1]}, {
		width,
		signs: unicode,
	})
		.map(({text}) => text)
		.join('');

test('a strip tells what is usual, what lies in it and what lies beyond', () => {
	expect(strip([2, 5], [0, 10])).toBe('──━━━━─────');
	expect(strip([5, 10], [0, 5])).toBe('─────━▓▓▓▓▓');
	expect(strip([0, 10], undefined)).toBe('━━━━━━━━━━━');
	expect(strip([3, 3], [3, 3])).toBe('     ━     ');
	expect(strip(undefined, undefined)).toBe(' '.repeat(11));
	fc.assert(
		fc.property(
			fc.tuple(fc.double({noNaN: true}), fc.double({noNaN: true})),
			fc.tuple(fc.double({noNaN: true}), fc.double({noNaN: true})),
			widths,
			(own, usual, width) => {
				expect(strip(own, usual, width)).toHaveLength(width);
			},
		),
	);
});

test('percentiles are a box on a line that begins at 0', () => {
	const box = percentileBox({low: 2, middle: 5, high: 10}, {width: 11, signs: unicode});
	expect(box.map(({text}) => text).join('')).toBe('──━━━┼━━━━━');
});
