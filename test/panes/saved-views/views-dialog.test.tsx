import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ViewsDialog} from '../../../source/panes/saved-views/views-dialog.tsx';
import {noFilter} from '../../../source/query/filter.ts';
import {print} from '../../../source/query/print.ts';
import {filterOf} from '../../store/support.ts';
import {dialogOf, widths} from '../../support/dialog.tsx';

let data: string;

beforeEach(() => {
	data = mkdtempSync(path.join(tmpdir(), 'lakescope-views-dialog-'));
	vi.stubEnv('XDG_DATA_HOME', data);
});

afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(data, {recursive: true, force: true});
});

const state = {filter: filterOf('tier:retrainable')};

test.each(widths)('%i columns: a view is saved, renamed and opened again', async width => {
	const {explorer, pane, closed} = await dialogOf('views', ViewsDialog, {width, state});
	await pane.until('No saved views.');
	pane.press('s');
	await pane.until('Save this view');
	pane.type('good ones');
	pane.press('enter');
	await pane.until(/▸good ones +tier:ret/);
	pane.press('r');
	await pane.until('Rename the view');
	pane.press('ctrl+u');
	pane.type('whole');
	pane.press('enter');
	await pane.until(/▸whole/);
	explorer.filterBy(noFilter);
	pane.press('enter');
	await closed();
	expect(print(explorer.state.getState().filter)).toBe('tier:retrainable');
});

test('a view is deleted only after a question', async () => {
	const {explorer, pane} = await dialogOf('views', ViewsDialog, {state});
	await explorer.savedViews.save('good ones');
	await pane.until(/▸good ones/);
	pane.press('d');
	const question = () => explorer.state.getState().question;
	await expect.poll(() => question()?.title).toBe('Delete the saved view?');
	question()?.agree();
	await pane.until('No saved views.');
});

test('keys that need a view say that there is none', async () => {
	const {pane, notice} = await dialogOf('views', ViewsDialog);
	await pane.until('No saved views.');
	for (const key of ['enter', 'r', 'd']) {
		pane.press(key);
		await expect.poll(notice).toBe('There are no saved views yet.');
	}
	pane.press('s');
	await pane.until('Save this view');
	pane.press('enter');
	await expect.poll(notice).toBe('Type the name first.');
});
