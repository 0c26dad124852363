import {expect, test} from 'vitest';
import {EpisodesPane} from '../../../source/panes/episodes/episodes-pane.tsx';
import {explorerOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const height = 8;

async function shown(width: number, state: Parameters<typeof explorerOf>[1] = {}) {
	const explorer = explorerOf(await hosted({episodes: 40}), state);
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	const look = {width, height};
	const pane = drawn(<EpisodesPane {...look} focused />, {explorer, ...look, focused: 'episodes'});
	await pane.until(/▸ +\d/);
	return {explorer, pane};
}

test.each([50, 100])(
	'a table of %i columns shows seven episodes below its titles, and no row is wider',
	async width => {
		const {pane} = await shown(width);
		const [head = '', ...rows] = pane.rows();
		expect(head).toMatch(/━dataset━.* \+\d+ ━$/);
		expect(head).toHaveLength(width);
		expect(rows.map(row => /^.? +(\d+) +fold-lab/.exec(row)?.[1])).toEqual([
			'0',
			'1',
			'2',
			'3',
			'4',
			'5',
			'6',
		]);
		expect(rows.every(row => row.length <= width)).toBe(true);
	},
);

test('a wider table shows more columns', async () => {
	const {pane: narrow} = await shown(50);
	const {pane: wide} = await shown(100);
	expect(narrow.rows()[0]).not.toContain('task');
	expect(wide.rows()[0]).toContain('task');
});

test('the pointer follows the keys, and the table scrolls with it', async () => {
	const {explorer, pane} = await shown(60);
	pane.press('j', 'j');
	await pane.until(/▸ +2 /);
	pane.press('G');
	const last = await pane.until(/▸ +39 /);
	expect(last.at(-1)).toMatch(/^▸ +39 /);
	expect(explorer.state.getState().position.selected).toBe(39);
	pane.press('g');
	expect((await pane.until(/▸ +0 /))[1]).toMatch(/^▸ +0 /);
});

test('the table opens at the row where it was left', async () => {
	const {pane} = await shown(60, {position: {selected: 20, offset: 18}});
	const rows = await pane.until(/▸ +20 /);
	expect(rows[1]).toMatch(/^ +18 /);
	expect(rows[3]).toMatch(/^▸ +20 /);
});
