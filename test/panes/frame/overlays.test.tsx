import {expect, test} from 'vitest';
import {HelpOverlay} from '../../../source/panes/frame/help-overlay.tsx';
import {MessagesOverlay} from '../../../source/panes/frame/messages-overlay.tsx';
import {Palette} from '../../../source/panes/frame/palette.tsx';
import {QuestionDialog} from '../../../source/panes/list/question-dialog.tsx';
import {asked} from '../../../source/store/state/view-transitions.ts';
import {dialogOf, widths} from '../../support/dialog.tsx';

test.each(widths)('%i columns: the help lists the keys of the table below it, and closes', async width => {
	const {pane, closed} = await dialogOf('help', HelpOverlay, {width, overTable: true});
	await pane.until(/j .*next episode/);
	pane.press('?');
	await closed();
});

test('a help longer than the screen is scrolled, and says which lines show', async () => {
	const {pane} = await dialogOf('help', HelpOverlay, {height: 10, overTable: true});
	await pane.until(/1-6 of \d+━/);
	pane.press('j');
	await pane.until(/2-7 of \d+━/);
	pane.press('G');
	await pane.until(/\d+-(\d+) of \1━/);
});

test.each(widths)('%i columns: typing narrows the palette, and enter runs the first', async width => {
	const {explorer, pane, closed} = await dialogOf('palette', Palette, {width, overTable: true});
	pane.type('last episode');
	await pane.until(/last episode[\s\S]*last episode/);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().position.selected).toBe(39);
	await closed();
});

test('text that no command matches is answered on enter, and the palette stays open', async () => {
	const {explorer, pane, notice} = await dialogOf('palette', Palette, {overTable: true});
	pane.type('zzqx');
	await pane.until('No match.');
	pane.press('enter');
	await expect.poll(notice).toBe('No command matches "zzqx".');
	expect(explorer.state.getState().overlay).toBe('palette');
	pane.press('ctrl+u');
	await pane.until(/1 of \d+━/);
	pane.press('down');
	await pane.until(/2 of \d+━/);
});

test.each(widths)('%i columns: messages are listed newest first, wrapped and never cut', async width => {
	const {explorer, pane, closed} = await dialogOf('messages', MessagesOverlay, {width});
	await pane.until('No messages yet.');
	explorer.notify('info', 'The first message.');
	explorer.notify('error', `The last message ${'goes on and '.repeat(6)}ends here.`);
	const rows = await pane.until(/2 messages━[\s\S]*The last message[\s\S]*The first message\./);
	expect(rows.join(' ').replaceAll(/[^\w.]+/g, ' ')).toContain('goes on and ends here.');
	pane.press('!');
	await closed();
});

test.each(widths)('%i columns: a question is answered by y, and enter does not agree', async width => {
	let agreed = 0;
	const question = {
		title: 'Delete the dataset?',
		lines: ['Its 12 episodes leave the lake.'],
		yes: 'delete',
		agree: () => agreed++,
	};
	const {explorer, pane, closed} = await dialogOf('question', QuestionDialog, {width, state: {question}});
	await pane.until(/Delete the dataset\?[\s\S]*12 episodes[\s\S]*y delete +n go back/);
	pane.press('enter');
	await closed();
	expect(agreed).toBe(0);
	explorer.update(asked(question));
	await pane.until('Delete the dataset?');
	pane.press('y');
	await closed();
	expect(agreed).toBe(1);
});
