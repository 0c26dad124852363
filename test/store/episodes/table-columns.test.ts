import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {columnsChosen, columnsShifted} from '../../../source/store/episodes/table-columns.ts';
import {initialState} from '../../../source/store/explorer-state.ts';

const start = initialState(noFilter, undefined);

test('columns scroll no further than to the last, and a choice begins at the first', () => {
	const shifted = [1, 1, 1, 1, 1].reduce((state, by) => columnsShifted(by, 4)(state), start);
	expect(shifted.columnShift).toBe(2);
	expect(columnsShifted(-9, 4)(shifted).columnShift).toBe(0);
	expect(columnsChosen(['index'])(shifted)).toMatchObject({columns: ['index'], columnShift: 0});
});
