import {expect, test} from 'vitest';
import {DetailPane} from '../../../source/panes/series/detail-pane.tsx';
import {explorerOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const height = 14;

async function shown(width: number, selected = 0) {
	const explorer = explorerOf(await hosted({episodes: 40}), {position: {selected, offset: 0}});
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	const look = {width, height};
	const pane = drawn(<DetailPane {...look} focused beside={false} />, {explorer, ...look, focused: 'detail'});
	return {explorer, pane, first: await pane.until(`━ fold-lab1.00 · ${selected} ━`)};
}

test.each([40, 90])('%i columns: the episode under the cursor, field by field', async width => {
	const {pane} = await shown(width);
	const rows = await pane.until(/task +open the towel/);
	expect(rows.every(row => row.length <= width)).toBe(true);
	expect(rows.join('\n')).toMatch(/dataset +fold-lab1\.00/);
	expect(rows.join('\n')).toMatch(/frames +472/);
});

test('another episode under the cursor is shown in its place', async () => {
	const {explorer, pane} = await shown(70);
	explorer.update(state => ({...state, position: {...state.position, selected: 3}}));
	await pane.until('━ fold-lab1.00 · 3 ━');
});

test('lines below the pane are scrolled to, and back', async () => {
	const {pane, first} = await shown(70);
	expect(first[0]).toMatch(/1-13 of \d+/);
	pane.press('j');
	expect((await pane.until(/2-14 of \d+/))[1]).toBe(first[2]);
	pane.press('k');
	expect((await pane.until(/1-13 of \d+/))[1]).toBe(first[1]);
});
