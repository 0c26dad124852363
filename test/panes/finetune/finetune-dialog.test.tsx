import {expect, test} from 'vitest';
import {FinetuneDialog} from '../../../source/panes/finetune/finetune-dialog.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';

test.each(widths)('%i columns: a fine-tune begins with its project', async width => {
	const {explorer, pane, closed} = await dialogOf('launch', FinetuneDialog, {width});
	await pane.until('1/7━');
	explorer.launch.facts.readProjects();
	await expect.poll(() => pane.rows().join('\n')).not.toContain('Reading the projects');
	await pane.until('▸');
	pane.press('esc');
	await closed();
});

test('pages are turned forward and back, and launching from an early page says where to launch', async () => {
	const {explorer, pane} = await dialogOf('launch', FinetuneDialog, {height: 24});
	explorer.launch.facts.readProjects();
	await pane.until(/1\/7━[\s\S]*▸/);
	pane.press('pagedown');
	await pane.until('2/7━');
	pane.press('pageup');
	await pane.until('1/7━');
});
