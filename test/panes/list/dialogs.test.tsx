import type {ReactNode} from 'react';
import {expect, test} from 'vitest';
import {ProjectForm} from '../../../source/panes/artifacts/project-form.tsx';
import {ColumnChooser} from '../../../source/panes/episodes/column-chooser.tsx';
import {EpisodesPane} from '../../../source/panes/episodes/episodes-pane.tsx';
import {OrderChooser} from '../../../source/panes/episodes/sort-chooser.tsx';
import {ExportDialog} from '../../../source/panes/export/export-dialog.tsx';
import {FinetuneDialog} from '../../../source/panes/finetune/finetune-dialog.tsx';
import {HelpOverlay} from '../../../source/panes/frame/help-overlay.tsx';
import {Palette} from '../../../source/panes/frame/palette.tsx';
import {overlaid} from '../../../source/store/state/transitions.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

type Overlay = NonNullable<Parameters<typeof overlaid>[0]>;
type Size = {readonly width: number; readonly height: number};

const height = 16;

async function shown(overlay: Overlay, width: number, dialog: (size: Size) => ReactNode) {
	const explorer = explorerOf(await hosted({episodes: 40}));
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	explorer.update(overlaid(overlay));
	const size = {width, height};
	const pane = drawn(dialog(size), {explorer, ...size, focused: 'episodes'});
	const rows = await pane.until('━');
	expect(rows.every(row => row.length <= width)).toBe(true);
	return {explorer, pane};
}

/** A dialog over the table, which has keys of its own to tell of. */
const overTable = (Dialog: (size: Size) => ReactNode) => (size: Size) => (
	<>
		<EpisodesPane {...size} focused />
		<Dialog {...size} />
	</>
);

test.each([44, 90])('%i columns: columns are hidden, moved, and as at first again', async width => {
	const {explorer, pane} = await shown('columns', width, size => <ColumnChooser {...size} />);
	const columns = () => explorer.state.getState().columns;
	await pane.until('▸▣ #');
	pane.press('j', 'space');
	await expect.poll(() => columns()?.[1]).not.toBe('dataset');
	expect(columns()).not.toContain('dataset');
	pane.press('J');
	await expect.poll(() => columns()?.length).toBe(12);
	pane.press('d');
	await expect.poll(() => columns()?.[1]).toBe('dataset');
	pane.press('esc');
	await expect.poll(() => explorer.state.getState().overlay).toBeUndefined();
});

test.each([44, 90])(
	'%i columns: the episodes are sorted by what is chosen, and the chooser closes',
	async width => {
		const {explorer, pane} = await shown('order', width, size => <OrderChooser {...size} />);
		await pane.until(/▸● /);
		pane.press('j', 'j', 'enter');
		await expect.poll(() => explorer.state.getState().sort).toEqual({by: 'duration_s', direction: 'desc'});
		expect(explorer.state.getState().overlay).toBeUndefined();
	},
);

test.each([44, 90])('%i columns: ids of all that match are copied, one a line', async width => {
	const {explorer, pane} = await shown('export', width, size => <ExportDialog {...size} />);
	await pane.until(/▸JSON lines/);
	pane.press('j', 'j', 'j');
	await pane.until(/▸ids/);
	pane.press('enter');
	await expect.poll(() => pane.copied[0]?.trim().split('\n').length).toBe(40);
	expect(explorer.state.getState().overlay).toBeUndefined();
});

test('a file for an export has a name to begin with, and esc goes back to the forms', async () => {
	const {pane} = await shown('export', 80, size => <ExportDialog {...size} />);
	await pane.until(/▸JSON lines/);
	pane.press('w');
	await pane.until(/\.jsonl/);
	pane.press('esc');
	await pane.until(/▸JSON lines/);
});

test.each([44, 90])(
	'%i columns: a project needs a name, and the request shows before it is sent',
	async width => {
		const {pane} = await shown('project', width, size => <ProjectForm {...size} />);
		await pane.until('name');
		pane.press('enter');
		await pane.until('A project needs a name.');
		pane.type('towels');
		pane.press('enter');
		const rows = await pane.until('POST /v1/projects');
		expect(rows.join('\n')).toContain('"towels"');
		pane.press('esc');
		await pane.until(/name +towels/);
	},
);

test.each([44, 90])(
	'%i columns: a fine-tune begins with its project, and what is chosen leads to the next page',
	async width => {
		const {explorer, pane} = await shown('launch', width, size => <FinetuneDialog {...size} />);
		// As the key does that opens it.
		explorer.launch.openDraft();
		const first = await pane.until(/Project:[\s\S]*▸ +folding/);
		expect(first.join('\n')).toMatch(/━ Launch a fine-tune ━+1\/7━/);
		expect(first.join('\n')).toMatch(/ new project +enter creates it/);
		expect(explorer.launch.state.getState().form.draft.project).toBeUndefined();
		pane.press('enter');
		await pane.until(/2\/7━[\s\S]*✓[\s\S]*Dataset to train on/);
		expect(explorer.launch.state.getState().form.draft.project).toMatchObject({name: 'folding'});
		const rows = await pane.until(/\d+ episodes|▸ {3}\S+\/\S+/);
		expect(rows.every(row => row.length <= width)).toBe(true);
		// A page back, where what was chosen shows; from the first, out of the form.
		pane.press('esc');
		await pane.until(/1\/7━[\s\S]*Project:[\s\S]*folding/);
		pane.press('esc');
		await expect.poll(() => explorer.state.getState().overlay).toBeUndefined();
	},
);

test.each([44, 90])('%i columns: the help tells the keys of what lies below it, and closes', async width => {
	const {explorer, pane} = await shown('help', width, overTable(HelpOverlay));
	const rows = await pane.until(/next episode/);
	expect(rows.join('\n')).toMatch(/j/);
	pane.press('?');
	await expect.poll(() => explorer.state.getState().overlay).toBeUndefined();
});

test.each([44, 90])(
	'%i columns: what is typed into the palette narrows the commands, and enter runs the first',
	async width => {
		const {explorer, pane} = await shown('palette', width, overTable(Palette));
		pane.type('last episode');
		await pane.until(/last episode[\s\S]*last episode/);
		pane.press('enter');
		await expect.poll(() => explorer.state.getState().position.selected).toBe(39);
		expect(explorer.state.getState().overlay).toBeUndefined();
	},
);
