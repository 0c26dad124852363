import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {ChannelChooser} from '../../../source/panes/series/channel-chooser.tsx';
import {DetailPane} from '../../../source/panes/series/detail-pane.tsx';
import {overlaid} from '../../../source/store/state/transitions.ts';
import {ingestFolder} from '../../service/support/ingesting.ts';
import {serviceHome} from '../../service/support/service-home.ts';
import {smallDataset} from '../../service/support/small-dataset.ts';
import {explorerOf, until} from '../../store/support.ts';
import {type Size, showDialog, widths} from '../../support/dialog.tsx';

const home = serviceHome();
let service: Awaited<ReturnType<typeof home.join>>;
let ingested: Promise<void> | undefined;

beforeAll(async () => {
	service = await home.join(home.lake());
});

/** The chooser over the detail pane, which asks for the episode's channels. */
async function chooser(width: number) {
	ingested ??= smallDataset(path.join(home.root, 'pushes')).then(folder => ingestFolder(service, folder));
	await ingested;
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount > 0);
	await explorer.local.can('series', new AbortController().signal);
	explorer.update(overlaid('channels'));
	const over = (size: Size) => (
		<>
			<DetailPane {...size} focused beside={false} />
			<ChannelChooser {...size} />
		</>
	);
	return showDialog(explorer, over, {width, height: 20});
}

test.each(widths)('%i columns: typing finds a channel, and enter says where none matches', async width => {
	const {pane, notice, closed} = await chooser(width);
	await pane.until(/▸[▢▣] action\.\w+/);
	pane.type('SHOULDER');
	await pane.until(/find: SHOULDER[\s\S]*▸[▢▣] action\.shoulder\.pos/);
	expect(pane.rows().join('\n')).not.toContain('action.gripper.pos   ');
	pane.type('zz');
	await pane.until('No channel matches.');
	pane.press('enter');
	await expect.poll(notice).toBe('No channel matches.');
	pane.press('esc');
	await closed();
});

test('a choice is pinned for every episode, and unpinned', async () => {
	const {explorer, pane} = await chooser(80);
	await pane.until(/▸[▢▣] action\.\w+/);
	pane.press('ctrl+o');
	await pane.until(/shown for every episode/);
	expect(explorer.plots.state.getState().pinned).toBeDefined();
	pane.press('ctrl+o');
	await expect.poll(() => explorer.plots.state.getState().pinned).toBeUndefined();
});

test('enter draws a channel and takes it away again, and ctrl+r draws the defaults', async () => {
	const {explorer, pane, notice} = await chooser(80);
	const chosen = () => [...explorer.plots.state.getState().chosen.values()].map(({channels}) => channels);
	await pane.until(/▣ action\.gripper\.pos/);
	pane.type('shoulder');
	await pane.until(/find: shoulder[\s\S]*▸▢ action\.shoulder\.pos/);
	pane.press('enter');
	await pane.until('▸▣ action.shoulder.pos');
	expect(chosen()).toEqual([['action.gripper.pos', 'action.shoulder.pos']]);
	pane.press('enter');
	await pane.until('▸▢ action.shoulder.pos');
	expect(chosen()).toEqual([['action.gripper.pos']]);
	pane.press('enter');
	await pane.until('▸▣ action.shoulder.pos');
	pane.press('ctrl+r');
	await pane.until('▸▢ action.shoulder.pos');
	expect(chosen()).toEqual([]);
	pane.press('ctrl+r');
	await expect.poll(notice).toBe('The default channels are shown already.');
});
