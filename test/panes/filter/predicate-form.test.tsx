import {expect, test} from 'vitest';
import {PredicateForm} from '../../../source/panes/filter/predicate-form.tsx';
import {print} from '../../../source/query/print.ts';
import {filterOf} from '../../store/support.ts';
import {dialogOf, widths} from '../../support/dialog.tsx';

const state = {filter: filterOf('quality_score>=0.5')};

test.each(widths)('%i columns: a comparison is switched off and on, deleted and restored', async width => {
	const {explorer, pane, closed} = await dialogOf('predicates', PredicateForm, {width, state});
	const line = () => print(explorer.state.getState().filter);
	await pane.until(/▸▣.*quality_score|▸▣/);
	pane.press('space');
	await pane.until('▸▢');
	expect(line()).toBe('');
	pane.press('space');
	await pane.until('▸▣');
	expect(line()).toBe('quality_score>=0.5');
	pane.press('d');
	await pane.until('No comparison yet.');
	expect(line()).toBe('');
	pane.press('u');
	await pane.until('▸▣');
	expect(line()).toBe('quality_score>=0.5');
	pane.press('esc');
	await closed();
});

test('a comparison is added by a part of a name and a number, and filters at once', async () => {
	const {explorer, pane} = await dialogOf('predicates', PredicateForm, {state});
	await pane.until('▸▣');
	pane.press('a');
	await pane.until('A part of the name is enough.');
	pane.type('dur');
	await pane.until(/duration_s/);
	pane.press('enter');
	await pane.until('A number such as 0.8.');
	pane.type('12');
	pane.press('enter');
	await expect
		.poll(() => print(explorer.state.getState().filter))
		.toMatch(/duration_s>=12.*quality_score>=0\.5|quality_score>=0\.5.*duration_s>=12/);
});

test('keys that need a comparison say that there is none, and how to add one', async () => {
	const {pane, notice} = await dialogOf('predicates', PredicateForm);
	await pane.until('No comparison yet.');
	for (const key of ['space', 'enter', 'd', '5']) {
		pane.press(key);
		await expect.poll(notice).toBe('There is no comparison yet.');
	}
	pane.press('u');
	await expect.poll(notice).toBe('No comparison was deleted.');
});
