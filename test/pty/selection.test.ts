import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {explore, isFresh, isWhole} from './support.ts';

const home = programHome();

const filterIs = (line: string) => (screen: Screen) =>
	isFresh(screen) && screen.rows[1]?.startsWith(` / ${line} `);

test('back, a facet, the view saved; the next start is at the last place and finds the view', async () => {
	const service = await hosted({episodes: 1000});
	const env = {XDG_STATE_HOME: home.at('state-1'), XDG_DATA_HOME: home.at('data-1')};
	const options = {cols: 110, rows: 30, service, env};
	const first = explore(home, ['tier:retrainable'], options);
	await first.until(filterIs('tier:retrainable'), 'the first result');
	first.press('o');
	await first.until(filterIs('tier:retrainable order:desc'), 'the order turned round');
	first.press('3');
	await first.until(({text}) => /━ Jobs ━/.test(text), 'the jobs');
	first.press('H', 'H');
	await first.until(filterIs('tier:retrainable'), 'the filter before');
	first.press('L');
	await first.until(filterIs('tier:retrainable order:desc'), 'the filter after');
	first.press('H');
	await first.until(filterIs('tier:retrainable'), 'the filter before');

	first.press('shift+tab', 'g', 'j', 'space');
	const faceted = await first.until(
		screen =>
			isWholeFilter(screen, /^ \/ tier:retrainable task:/) &&
			/▸▣/.test(screen.text) &&
			/ 1 of \d/.test(screen.rows[1] ?? ''),
		'a facet on top',
	);
	const total = /1 of ([\d,]+)/.exec(faceted.rows[1] ?? '')?.[1] ?? '';
	first.press('V');
	await first.untilText('No saved views. s saves the current filter');
	first.press('s');
	await first.untilText('Save this view');
	first.press('enter');
	await first.untilText('Type the name first.');
	first.type('my tasks');
	first.press('enter');
	await first.until(({text}) => /▸my tasks +tier:retrainable task:/.test(text), 'the saved view listed');
	first.press('esc');
	await first.until(({text}) => !text.includes('Saved views'), 'the list closed');
	first.press('X');
	await first.untilText('1 of 1,000');
	first.press('tab', 'j', 'j', 'j');
	await first.untilText('4 of 1,000');
	first.press('q');
	expect((await first.untilExit()).code).toBe(0);

	const second = explore(home, [], options);
	await second.until(
		screen => isFresh(screen) && screen.rows[1]?.includes('4 of 1,000'),
		'the last place, at its row',
	);
	second.press('V');
	await second.untilText('▸my tasks');
	second.press('enter');
	await second.until(
		screen =>
			isWholeFilter(screen, /^ \/ tier:retrainable task:/) && screen.rows[1]?.includes(`1 of ${total} `),
		'the view',
	);
	second.press('q');
	await second.untilExit();

	// What stands on the command line wins over where one was.
	const third = explore(home, ['tier:analyze_only'], options);
	await third.until(filterIs('tier:analyze_only'), 'the filter of the command line');
	third.press('q');
	await third.untilExit();
});

const isWholeFilter = (screen: Screen, line: RegExp) => isWhole(screen) && line.test(screen.rows[1] ?? '');

test('episodes are selected by hand, by range and all, counted, and written to a file that is not lost', async () => {
	const service = await hosted({episodes: 700});
	const options = {cols: 100, rows: 24, service, cwd: home.root};
	const explorer = explore(home, [], options);
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('space', 'space', 'j');
	await explorer.until(({text}) => /▣ 2 episodes · \d datasets? · .*\d layouts?/.test(text), 'two');
	explorer.press('v', 'j', 'j');
	await explorer.untilText('3 rows: space includes them, v excludes them');
	explorer.press('space');
	await explorer.untilText('▣ 5 episodes · ');
	explorer.press('*', 'space');
	await explorer.until(
		({text}) => /▣ all that match but 1: 699 episodes · \d+ datasets/.test(text),
		'all but one',
	);

	explorer.press('e');
	await explorer.untilText('Export the selection: 699 episodes');
	explorer.press('j', 'j', 'j', 'j', 'w');
	await explorer.until(({text}) => /file: lakescope-\d{8}-\d{6}\.txt▏/.test(text), 'a name offered');
	explorer.press('ctrl+u');
	explorer.type('ids.txt');
	explorer.press('enter');
	await explorer.untilText('699 episodes in ~/ids.txt.');
	const ids = readFileSync(home.at('ids.txt'), 'utf8').trimEnd().split('\n');
	expect(new Set(ids).size).toBe(699);

	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('all that match'), 'nothing selected');
	explorer.press('space', 'e');
	await explorer.untilText('Export the selection: 1 episode ');
	explorer.press('j', 'j', 'j', 'j', 'w', 'ctrl+u');
	explorer.type('nowhere/ids.txt');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('~/nowhere/ids.txt cannot be written') && text.includes('file: nowhere/ids.txt▏'),
		'the reason above the path',
	);
	explorer.press('ctrl+u');
	await explorer.until(({text}) => !text.includes('cannot be written'), 'another path, without that reason');
	explorer.press('enter');
	await explorer.untilText('Type the name of the file first.');
	explorer.type('ids.txt');
	explorer.press('enter');
	await explorer.untilText('Overwrite the file?');
	explorer.press('n');
	await explorer.until(
		({text}) => !text.includes('Overwrite') && text.includes('file: ids.txt▏'),
		'the path as it was',
	);
	expect(readFileSync(home.at('ids.txt'), 'utf8').trimEnd().split('\n')).toHaveLength(699);
	explorer.press('enter');
	await explorer.untilText('Overwrite the file?');
	explorer.press('y');
	await explorer.untilText('1 episode in ~/ids.txt.');
	expect(readFileSync(home.at('ids.txt'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
	explorer.press('q');
	await explorer.untilExit();
	expect(existsSync(home.at('ids.txt'))).toBe(true);
	expect(readdirSync(home.root).filter(name => name.endsWith('.part'))).toEqual([]);
});
