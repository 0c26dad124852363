import {expect, test} from 'vitest';
import {ThinDialog} from '../../../source/panes/selection/thin-dialog.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';

test.each(widths)('%i columns: the selection is thinned to some episodes of each task', async width => {
	const {explorer, pane, closed} = await dialogOf('thin', ThinDialog, {width});
	await pane.until(/keep: random 100 a task/);
	pane.press('ctrl+u');
	pane.type('random 2 a task');
	pane.press('enter');
	await closed();
	await expect.poll(() => explorer.selection.summary.getState().summary?.episodes).toBe(6n);
});

test('a rule that cannot be read is refused, and the dialog stays open', async () => {
	const {explorer, pane, notice} = await dialogOf('thin', ThinDialog);
	await pane.until('keep:');
	pane.press('ctrl+u');
	pane.type('most of them');
	pane.press('enter');
	await expect.poll(notice).toContain('random');
	expect(explorer.state.getState().overlay).toBe('thin');
});
