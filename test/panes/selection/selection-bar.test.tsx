import {expect, test} from 'vitest';
import {EpisodesPane} from '../../../source/panes/episodes/episodes-pane.tsx';
import {SelectionBar} from '../../../source/panes/selection/selection-bar.tsx';
import {explorerOf, filterOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

/** The bar below the table whose keys select. */
async function shown(width: number) {
	const explorer = explorerOf(await hosted({episodes: 40}));
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	const pane = drawn(
		<>
			<EpisodesPane width={width} height={8} focused />
			<SelectionBar width={width} />
		</>,
		{explorer, width, height: 9, focused: 'episodes'},
	);
	await pane.until(/▸ +0 /);
	return {explorer, pane};
}

test.each([80, 200])(
	'%i columns: the bar counts the episodes selected by hand, and their tasks',
	async width => {
		const {pane} = await shown(width);
		pane.press('space');
		await pane.until(/▣ 1 episode · .*open the towel 1/);
		pane.press('j', 'space');
		const rows = await pane.until('▣ 2 episodes');
		expect(rows.every(row => row.length <= width)).toBe(true);
	},
);

test('while a range is marked, the bar says which key includes its rows', async () => {
	const {pane} = await shown(80);
	pane.press('v', 'j', 'j');
	await pane.until(/◐ 3 rows: space includes them/);
	pane.press('space');
	await pane.until('▣ 3 episodes');
});

test('the bar says how many of the selected episodes the filter hides', async () => {
	const {explorer, pane} = await shown(120);
	pane.press('*');
	await pane.until(/▣ all that match: 40 episodes/);
	pane.press('*');
	pane.press('space', 'j', 'space', 'j', 'space');
	await pane.until(/▣ \d+ episodes/);
	explorer.filterBy(filterOf('tier:analyze_only'));
	await pane.until(/▲ \d+ hidden by the filter/);
});
