import fc from 'fast-check';
import {expect, test} from 'vitest';
import {table} from '../../../source/commands/print/table.ts';
import {textWidth} from '../../../source/terminal/width.ts';

const columns = [
	{title: 'dataset', least: 8},
	{title: '#', align: 'right'},
	{title: 'task', least: 8},
] as const;

test('columns are aligned and as wide as they need to be', () => {
	const rows = [
		['so101-fold', '7', 'fold'],
		['aloha', '1044', '机器人 folds'],
	];
	expect(table(columns, rows, 80)).toEqual([
		'dataset        #  task',
		'so101-fold     7  fold',
		'aloha       1044  机器人 folds',
	]);
});

test('where there is no room the widest columns are cut, numbers never', () => {
	const rows = [['so101-fold-the-towel', '1044', 'fold the towel and put it away']];
	expect(table(columns, rows, 34)).toEqual([
		'dataset           #  task',
		'so101-fold-t…  1044  fold the tow…',
	]);
});

test('no line is wider than the terminal, whatever stands in it', () => {
	const row = fc.tuple(
		fc.string({unit: 'binary'}),
		fc.nat().map(String),
		fc.string({unit: 'grapheme', maxLength: 200}),
	);
	fc.assert(
		fc.property(fc.array(row, {maxLength: 5}), fc.integer({min: 1, max: 120}), (rows, width) => {
			const lines = table(columns, rows, width);
			expect(lines).toHaveLength(rows.length + 1);
			for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
		}),
	);
});

test('without a terminal nothing is cut', () => {
	const long = 'x'.repeat(5000);
	expect(table(columns, [['d', '1', long]], Number.POSITIVE_INFINITY)[1]).toContain(long);
});
