import fc from 'fast-check';
import {expect, test} from 'vitest';
import {columnOf, defaultColumns, knownColumns} from '../../../source/panes/episodes/columns.ts';
import {fitColumns} from '../../../source/panes/episodes/episode-row.ts';

const chosen = defaultColumns.map(columnOf);
const ids = (fit: ReturnType<typeof fitColumns>) => fit.fitted.map(({column}) => column.id);

test('as many columns as fit are shown, in their order, and the rest are counted', () => {
	const narrow = fitColumns(chosen, 59, {gap: 1});
	expect(ids(narrow)).toEqual(defaultColumns.slice(0, narrow.fitted.length));
	expect(narrow.hidden).toBe(defaultColumns.length - narrow.fitted.length);
	expect(ids(fitColumns(chosen, 400, {gap: 2}))).toEqual(defaultColumns);
});

test('scrolled columns disappear behind the first, which stays', () => {
	expect(ids(fitColumns(chosen, 59, {gap: 1, shift: 3})).slice(0, 2)).toEqual([
		defaultColumns[0],
		defaultColumns[4],
	]);
	expect(ids(fitColumns(chosen, 59, {gap: 1, shift: 99}))).toEqual([
		defaultColumns[0],
		defaultColumns.at(-1),
	]);
});

test('a column with an unknown name shows a free metric', () => {
	const episode = {metrics: {grip_force: 3.25}};
	expect(columnOf('grip_force').cell(episode as never, {} as never)).toEqual({text: '3.250'});
});

test('fitted columns never exceed their room, and fill it where one of them grows', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(fc.constantFrom(...knownColumns), {minLength: 1, selector: ({id}) => id}),
			fc.integer({min: 20, max: 300}),
			fc.integer({min: 1, max: 2}),
			(columns, width, gap) => {
				const {fitted} = fitColumns(columns, width, {gap});
				const used = fitted.reduce((sum, {width: cells}) => sum + cells, 0) + gap * (fitted.length - 1);
				expect(used).toBeLessThanOrEqual(width);
				if (fitted.some(({column}) => column.grow > 0)) expect(used).toBeGreaterThanOrEqual(width - gap);
			},
		),
	);
});
