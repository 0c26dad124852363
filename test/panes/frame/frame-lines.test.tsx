import {Box} from 'ink';
import type {ReactNode} from 'react';
import {expect, test} from 'vitest';
import {EpisodesPane} from '../../../source/panes/episodes/episodes-pane.tsx';
import {FooterLine} from '../../../source/panes/frame/footer-line.tsx';
import {HeaderLine} from '../../../source/panes/frame/header-line.tsx';
import {MessagesOverlay} from '../../../source/panes/frame/messages-overlay.tsx';
import {overlaid} from '../../../source/store/state/transitions.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

async function shown(
	size: {readonly width: number; readonly height: number},
	element: ReactNode,
	focused?: string,
) {
	const explorer = explorerOf(await hosted({episodes: 40}));
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	return {explorer, pane: drawn(element, {explorer, ...size, ...(focused !== undefined && {focused})})};
}

const header = (width: number) => shown({width, height: 1}, <HeaderLine width={width} lakeName="acme" />);

/** The footer below a table, whose keys it names. */
const footer = (width: number) =>
	shown(
		{width, height: 12},
		<Box flexDirection="column">
			<EpisodesPane width={width} height={6} focused />
			<FooterLine width={width} />
		</Box>,
		'episodes',
	);

test.each([80, 200])('%i columns: the header names the lake and counts its episodes', async width => {
	const {pane} = await header(width);
	const [line = ''] = await pane.until(/40 ep · [\d,]+ frames/);
	expect(line).toMatch(/^ lakescope {2}acme/);
	expect(line.length).toBeLessThanOrEqual(width);
});

test('where room is short, the header leaves the frames out before the episodes, and the name last', async () => {
	const {pane: narrow} = await header(40);
	const [line = ''] = await narrow.until('40 ep');
	expect(line).not.toContain('frames');
	const {pane: narrowest} = await header(24);
	expect((await narrowest.until('acme'))[0]).not.toContain(' ep');
});

test('the header says that nothing may be changed while read-only is on', async () => {
	const {explorer, pane} = await header(80);
	await pane.until('acme');
	explorer.setReadOnly(true);
	await pane.until('READ-ONLY');
	explorer.setReadOnly(false);
	await expect.poll(() => pane.rows()[0]).not.toContain('READ-ONLY');
});

test.each([80, 200])(
	'%i columns: the footer names the keys of the pane that has the keyboard',
	async width => {
		const {pane} = await footer(width);
		const rows = await pane.until(/enter open/);
		const line = rows.find(row => row.includes('enter open')) ?? '';
		expect(line).toMatch(/ - reject {3}\+ keep/);
		expect(line.length).toBeLessThanOrEqual(width);
	},
);

test.each([80, 200])('%i columns: a notice takes the place of the keys, and is read whole', async width => {
	const {explorer, pane} = await footer(width);
	await pane.until(/enter open/);
	const sentence =
		'The service asked for no requests before 12:00:00; the list is from 11:58 and is read again by itself then.';
	explorer.notify('warning', sentence);
	const rows = await pane.until('▲ The service asked');
	expect(rows.join('\n')).not.toContain('enter open');
	const said = rows
		.slice(rows.findIndex(row => row.includes('▲')))
		.join(' ')
		.replaceAll(/\s+/g, ' ');
	expect(said).toContain(sentence);
	expect(rows.every(row => row.length <= width)).toBe(true);
});

test.each([80, 200])(
	'%i columns: the messages are listed with their times, the newest first',
	async width => {
		const size = {width, height: 24};
		const {explorer, pane} = await shown(size, <MessagesOverlay {...size} />);
		await pane.until('No messages yet.');
		explorer.update(overlaid('messages'));
		explorer.notify('info', 'The first.');
		explorer.notify('error', 'The second.');
		const rows = await pane.until('2 messages');
		expect(rows.join('\n')).toMatch(/\d\d:\d\d:\d\d ✗ The second\.[\s\S]*\d\d:\d\d:\d\d ● The first\./);
		expect(rows.every(row => row.length <= width)).toBe(true);
		pane.press('esc');
		await expect.poll(() => explorer.state.getState().overlay).toBeUndefined();
	},
);
