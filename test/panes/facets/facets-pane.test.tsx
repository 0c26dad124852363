import {expect, test} from 'vitest';
import {FacetsPane} from '../../../source/panes/facets/facets-pane.tsx';
import {explorerOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const height = 14;

async function shown(width: number) {
	const explorer = explorerOf(await hosted({episodes: 40}));
	await until(explorer.window.result, ({facets}) => facets !== undefined);
	const look = {width, height};
	const pane = drawn(<FacetsPane {...look} focused meets={undefined} />, {
		explorer,
		...look,
		focused: 'facets',
	});
	await pane.until('open the towel');
	return {explorer, pane};
}

test.each([26, 70])('%i columns: each task with how many episodes it has', async width => {
	const {pane} = await shown(width);
	const tasks = pane.rows().filter(row => / ▢ (open the|fold the|insert red)/.test(row));
	expect(tasks.map(row => /\D(\d+)(?: [█▉▊▋▌▍▎▏]+)?$/.exec(row)?.[1])).toEqual(['16', '14', '10']);
	expect(pane.rows().every(row => row.length <= width)).toBe(true);
});

test('a ticked value filters the lake, and unticking it clears the filter', async () => {
	const {explorer, pane} = await shown(40);
	pane.press('j');
	await pane.until('▸▢ open the towel');
	pane.press('space');
	await pane.until('▸▣ open the towel');
	expect(explorer.state.getState().filter.tasks).toEqual(['open the towel']);
	// The other facets count what is left.
	await pane.until(/retrainable +13 /);
	pane.press('space');
	await pane.until(/retrainable +32 /);
	expect(explorer.state.getState().filter.tasks).toEqual([]);
});
