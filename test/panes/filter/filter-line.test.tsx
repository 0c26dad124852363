import {expect, test} from 'vitest';
import {FilterLine} from '../../../source/panes/filter/filter-line.tsx';
import {edited} from '../../../source/store/state/transitions.ts';
import {explorerOf, filterOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const height = 14;

async function shown(width: number, line: string) {
	const explorer = explorerOf(await hosted({episodes: 40}), {filter: filterOf(line)});
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	const look = {width, height};
	return {explorer, pane: drawn(<FilterLine {...look} />, {explorer, ...look})};
}

test.each([50, 100])('%i columns: the filter, and how many episodes it lets through', async width => {
	const {pane} = await shown(width, 'tier:retrainable');
	const [line = ''] = await pane.until('1 of 32');
	expect(line).toMatch(/^ \/ tier:retrainable /);
	expect(line.length).toBeLessThanOrEqual(width);
});

test('a typed filter is counted before it is applied, and enter applies it', async () => {
	const {explorer, pane} = await shown(90, '');
	await pane.until('1 of 40');
	explorer.update(edited('filter'));
	await pane.until('▏');
	pane.type('tier:retrainable');
	const [line = ''] = await pane.until('32 match');
	expect(line).toMatch(/^ \/ tier:retrainable▏/);
	expect(explorer.state.getState().filter.tiers).toEqual([]);
	pane.press('enter');
	await until(explorer.window.result, ({totals}) => Number(totals?.episodes) === 32);
});

test('an unknown value is named on the line, and nothing is applied', async () => {
	const {explorer, pane} = await shown(90, '');
	explorer.update(edited('filter'));
	await pane.until('▏');
	pane.type('tier:nonesuch');
	const [line = ''] = await pane.until('↑ Column 6: found nonesuch, expected');
	expect(line).toMatch(/^ \/ tier:nonesuch▏/);
	expect(line).not.toMatch(/match|1 of/);
	const before = explorer.state.getState().filter;
	pane.press('enter');
	// The line stays open, with what is wrong and where; the rows are those of before.
	await pane.until('↑ Column 6: found nonesuch, expected');
	expect(explorer.state.getState()).toMatchObject({filter: before, editing: 'filter'});
	expect(explorer.state.getState().filter.tiers).toEqual([]);
	expect(explorer.window.result.getState().rowCount).toBe(40);
	// Mended, it is right: nothing of the error is left.
	for (let letter = 0; letter < 'nonesuch'.length; letter++) pane.press('backspace');
	pane.type('retrainable');
	const [mended = ''] = await pane.until('32 match');
	expect(mended).not.toContain('Column');
});
