import {expect, test} from 'vitest';
import {FinetuneDialog} from '../../../source/panes/finetune/finetune-dialog.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';

test.each(widths)(
	'%i columns: a fine-tune begins with its project, and the choice leads to the next page',
	async width => {
		const {explorer, pane, closed} = await dialogOf('launch', FinetuneDialog, {width});
		// As the key does that opens it.
		explorer.finetune.openDraft();
		const first = await pane.until(/Project:[\s\S]*▸ +folding/);
		expect(first.join('\n')).toMatch(/━ Launch a fine-tune ━+1\/7━/);
		expect(first.join('\n')).toMatch(/ new project +enter creates it/);
		expect(explorer.finetune.state.getState().form.draft.project).toBeUndefined();
		pane.press('enter');
		await pane.until(/2\/7━[\s\S]*✓[\s\S]*Dataset to train on/);
		expect(explorer.finetune.state.getState().form.draft.project).toMatchObject({name: 'folding'});
		const rows = await pane.until(/\d+ episodes|▸ {3}\S+\/\S+/);
		expect(rows.every(row => row.length <= width)).toBe(true);
		// Back to the first page, which shows the choice; from there out of the form.
		pane.press('esc');
		await pane.until(/1\/7━[\s\S]*Project:[\s\S]*folding/);
		pane.press('esc');
		await closed();
	},
);

test('keys that do nothing on a page say why, and where they work', async () => {
	const {explorer, pane} = await dialogOf('launch', FinetuneDialog, {height: 24});
	explorer.finetune.openDraft();
	await pane.until(/Project:[\s\S]*▸ +folding/);
	pane.press('y');
	await pane.until('Launch from the last page, which shows the request.');
	pane.press('right');
	await pane.until('This row has no other values to turn through.');
	pane.press('i');
	await pane.until('The camera preview is on the cameras page');
	pane.press('pagedown');
	await pane.until('2/7━');
});
