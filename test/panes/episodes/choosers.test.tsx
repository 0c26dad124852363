import {expect, test} from 'vitest';
import {ColumnChooser} from '../../../source/panes/episodes/column-chooser.tsx';
import {SortChooser} from '../../../source/panes/episodes/sort-chooser.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';

test.each(widths)('%i columns: columns are hidden, moved, and the defaults restored', async width => {
	const {explorer, pane, closed} = await dialogOf('columns', ColumnChooser, {width});
	const columns = () => explorer.state.getState().columns;
	await pane.until('▸▣ #');
	pane.press('j', 'space');
	await expect.poll(() => columns()?.[1]).not.toBe('dataset');
	expect(columns()).not.toContain('dataset');
	pane.press('J');
	await expect.poll(() => columns()?.length).toBe(12);
	pane.press('d');
	await expect.poll(() => columns()?.[1]).toBe('dataset');
	pane.press('esc');
	await closed();
});

test('the column at the pointer moves with the pointer', async () => {
	const {explorer, pane} = await dialogOf('columns', ColumnChooser);
	await pane.until('▸▣ #');
	pane.press('J');
	const rows = await pane.until(/ ▣ dataset[\s\S]*▸▣ #/);
	expect(rows.join('\n')).toMatch(/▸▣ #/);
	expect(explorer.state.getState().columns?.slice(0, 2)).toEqual(['dataset', 'index']);
});

test('a key that cannot change the columns says why', async () => {
	const {pane, notice} = await dialogOf('columns', ColumnChooser, {state: {columns: ['index']}});
	await pane.until('▸▣ #');
	pane.press('space');
	await expect.poll(notice).toBe('The table needs at least one column.');
	pane.press('K');
	await expect.poll(notice).toBe('# is the first column already.');
	pane.press('j', 'J');
	await expect.poll(notice).toMatch(/ is hidden; only shown columns can be moved\.$/);
	pane.press('d', 'd');
	await expect.poll(notice).toBe('The table shows the default columns already.');
});

test.each(widths)('%i columns: the episodes are sorted by the metric chosen, then reversed', async width => {
	const {explorer, pane, closed} = await dialogOf('order', SortChooser, {width});
	await pane.until(/▸● /);
	pane.press('j', 'j', 'enter');
	await expect.poll(() => explorer.state.getState().sort).toEqual({by: 'duration_s', direction: 'desc'});
	await closed();
});

test('the metric that is sorted by has an arrow, and choosing it again reverses the sort', async () => {
	const {explorer, pane} = await dialogOf('order', SortChooser, {
		height: 40,
		state: {sort: {by: 'duration_s', direction: 'desc'}},
	});
	await pane.until(/↓ duration_s/);
	pane.press('j', 'j', 'enter');
	await expect.poll(() => explorer.state.getState().sort).toEqual({by: 'duration_s', direction: 'asc'});
	await pane.until(/↑ duration_s/);
});

test('a list longer than the screen is paged, and says which part shows', async () => {
	const {pane} = await dialogOf('order', SortChooser, {height: 10});
	await pane.until(/1-4 of \d+/);
	pane.press('pagedown');
	await pane.until(/4-7 of \d+/);
	pane.press('G');
	await pane.until(/(\d+) of \1━/);
	pane.press('g');
	await pane.until(/▸● .*service/);
});
