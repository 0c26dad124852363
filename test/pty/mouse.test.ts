import {mkdirSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {hosted} from '../support/hosted.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

type Location = {readonly row: number; readonly column: number};

const code = {left: 0, up: 64, down: 65} as const;

/** What a terminal sends when a button goes down and up, or the wheel is turned, over a cell. */
function point(program: PtyProgram, button: keyof typeof code, {row, column}: Location): void {
	const at = `${code[button]};${column + 1};${row + 1}`;
	program.send(button === 'left' ? `\u001b[<${at}M\u001b[<${at}m` : `\u001b[<${at}M`);
}

function locationOf(screen: Screen, text: string): Location {
	const at = screen.find(text);
	if (at === undefined) throw new Error(`no “${text}” on the screen`);
	return at;
}

test('the wheel scrolls the pane under the pointer, a press selects, another one opens', async () => {
	const service = await hosted({episodes: 2000});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	const first = await explorer.until(isFresh, 'the first episodes');
	const inTable = {row: 8, column: 60};
	for (let notch = 0; notch < 4; notch++) point(explorer, 'down', inTable);
	const scrolled = await explorer.until(({rows}) => rows[1]?.includes('13 of 2,000'), 'the table scrolled');
	expect(scrolled.find('▸')?.row).toBe(first.find('▸')?.row);
	point(explorer, 'left', inTable);
	const pressed = await explorer.until(
		({rows}) => rows[1]?.includes('18 of 2,000'),
		'the row under the pointer selected',
	);
	expect(pressed.find('▸')?.row).toBe(inTable.row);
	point(explorer, 'left', inTable);
	await explorer.until(({text}) => /━ [\w.-]+ · \d+ ━/.test(text), 'the detail with the keyboard');
	point(explorer, 'up', inTable);
	await explorer.until(({rows}) => rows[1]?.includes('18 of 2,000'), 'the selection where it was');
});

test('a press on a facet’s value picks it and takes it back', async () => {
	const service = await hosted({episodes: 2000});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	const screen = await explorer.until(isFresh, 'the first episodes');
	const at = locationOf(screen, '▢ ');
	point(explorer, 'left', at);
	const picked = await explorer.until(
		({rows}) => /^ \/ task:/.test(rows[1] ?? '') && rows[at.row]?.startsWith('▸▣'),
		'the value picked, the facets with the keyboard',
	);
	expect(picked.rows[1]).not.toContain('2,000');
	await explorer.until(isWholeResult, 'the narrowed result');
	point(explorer, 'left', at);
	await explorer.until(({rows}) => rows[1]?.includes('1 of 2,000'), 'everything again');
});

test('a second press on a tag takes back what the first one picked, whatever that did to the other tags', async () => {
	await armDataset(home.at('arm'), [...siblings(14), {seconds: 9}, {seconds: 11}, {seconds: 1.2}]);
	const lake = home.at('lake');
	await home.run(['ingest', '--lake', lake, home.at('arm')]);
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40});
	const screen = await explorer.until(
		shown => isFresh(shown) && shown.text.includes(' ▢ too-short'),
		'the tags of the suspects',
	);
	const at = locationOf(screen, '▢ too-short');
	const tags = screen.rows.slice(locationOf(screen, '─Tags').row, at.row);
	expect(tags.length).toBeGreaterThan(2);
	point(explorer, 'left', at);
	const picked = await explorer.until(
		({rows}) => rows[1]?.includes('1 of 1 ') && rows[at.row]?.startsWith('▸▣ too-short'),
		'the tag picked where it was',
	);
	const names = (rows: readonly string[]) => rows.map(row => row.slice(3, 16).trim());
	expect(names(picked.rows.slice(at.row - tags.length + 1, at.row))).toEqual(names(tags.slice(1)));
	point(explorer, 'left', at);
	await explorer.until(
		({rows}) => rows[1]?.includes('1 of 17 ') && rows[at.row]?.startsWith('▸▢ too-short'),
		'the tag let go by the same press',
	);
	point(explorer, 'left', at);
	await explorer.until(({rows}) => rows[1]?.includes('1 of 1 '), 'picked again');
	explorer.press('esc');
	await explorer.until(({rows}) => !rows[at.row]?.includes('too-short'), 'the facet left, and laid out anew');
});

const isWholeResult = ({rows}: Screen) => /1 of [\d,]+/.test(rows[1] ?? '');

test('the footer and the filter line are pressed, and the help is scrolled', async () => {
	const service = await hosted({episodes: 200});
	const explorer = explore(home, [], {cols: 100, rows: 20, service});
	const screen = await explorer.until(isFresh, 'the first episodes');
	point(explorer, 'left', locationOf(screen, '? help'));
	const help = await explorer.untilText('━ Help ━');
	expect(help.text).toMatch(/━1-\d+ of \d+━/);
	point(explorer, 'down', {row: 8, column: 50});
	await explorer.until(({text}) => /━4-\d+ of \d+━/.test(text), 'the help three lines on');
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Help'), 'the help gone');
	point(explorer, 'left', {row: 1, column: 20});
	await explorer.until(({rows}) => rows[1]?.startsWith(' / ▏'), 'the filter being typed');
});

test('a list of its own view answers too', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explore(home, [], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('3');
	const jobs = await explorer.until(
		({text}) => /1 of \d+━/.test(text) && text.includes('✗ failed') && text.includes('✓ completed'),
		'the jobs, each with its state',
	);
	const at = locationOf(jobs, '▸');
	point(explorer, 'left', {row: at.row + 1, column: 20});
	const second = await explorer.until(({text}) => /2 of \d+━/.test(text), 'the second job selected');
	expect(locationOf(second, '▸').row).toBe(at.row + 1);
});

test('a dialog’s list answers, and nothing behind the dialog does', async () => {
	const service = await hosted({episodes: 200});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	const table = await explorer.until(isFresh, 'the first episodes');
	explorer.press(':');
	explorer.type('help');
	const palette = await explorer.until(
		({text}) => /━ Command ━/.test(text) && / : help▏/.test(text) && /▸ help/.test(text),
		'the command found',
	);
	point(explorer, 'left', locationOf(table, '? help'));
	point(explorer, 'left', {row: 1, column: 20});
	point(explorer, 'left', locationOf(palette, '▸ help'));
	const help = await explorer.untilText('━ Help ━');
	expect(help.text).not.toContain('━ Command ━');
	expect(help.rows[1]).toMatch(/^ \/ everything/);
});

test('a question is answered by a press on one of its answers', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('W');
	await explorer.untilText('Read-only: changes are off. W turns it off.');
	const asked = async (): Promise<Screen> => {
		explorer.press('W');
		return explorer.untilText('y allow   n go back');
	};
	point(explorer, 'left', locationOf(await asked(), 'n go back'));
	await explorer.until(({text}) => !text.includes('Allow changes?'), 'the question left');
	point(explorer, 'left', locationOf(await asked(), 'y allow'));
	await explorer.until(
		({text}) => !text.includes('Allow changes?') && !/read-only/i.test(text.split('\n')[0] ?? ''),
		'changes allowed',
	);
});

test('in the form of comparisons a press goes to a cell, enters it, takes a name, and switches a row off', async () => {
	const service = await hosted({episodes: 2000});
	const explorer = explore(home, ['quality_score<0.8 duration_s>1'], {cols: 100, rows: 30, service});
	await explorer.until(isWholeResult, 'the first episodes');
	explorer.press('p');
	const form = await explorer.until(
		({text}) => /▸▣ .*quality_score/.test(text) && /^.*│ <0\.8 keeps/m.test(text),
		'the form, with how its figure lies',
	);
	/** A row of the form; the filter line says the same words. */
	const inForm = (words: string): Location => {
		const row = form.rows.findIndex(each => each.includes('▣ ') && each.includes(words));
		return {row, column: form.rows[row]?.indexOf(words) ?? -1};
	};
	const duration = inForm('duration_s');
	point(explorer, 'left', duration);
	await explorer.until(({text}) => /▸▣ .*\[duration_s/.test(text), 'the name gone to');
	point(explorer, 'left', duration);
	explorer.press('ctrl+u');
	explorer.type('spar');
	const typing = await explorer.until(
		({text}) => /\[spar▏/.test(text) && /^.*\bsparc /m.test(text),
		'the names that fit',
	);
	point(explorer, 'left', locationOf(typing, 'sparc'));
	await explorer.until(({text}) => /▸▣ .*\[sparc/.test(text), 'the name taken');
	const score = inForm('quality_score');
	point(explorer, 'left', {row: score.row, column: locationOf(form, '▣').column});
	await explorer.until(({text}) => /▸▢ .*quality_score/.test(text), 'its row switched off');
	point(explorer, 'down', score);
	await explorer.until(({text}) => /▸▣ .*sparc/.test(text), 'the next row by the wheel');
});

test('a folder to upload and a field of a new project are pressed', async () => {
	for (const name of ['a', 'b', 'c']) mkdirSync(home.at('folders', name, 'in'), {recursive: true});
	const service = await hosted({episodes: 20});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('2');
	await explorer.untilText('No uploads.');
	explorer.press('u');
	await explorer.untilText('━ Upload a dataset ━');
	explorer.press('ctrl+u');
	explorer.type(`${home.at('folders')}/`);
	const folders = await explorer.until(
		({text}) => /▸ .*\/a\//.test(text) && text.includes('/c/ '),
		'the folders',
	);
	const second = locationOf(folders, '/b/');
	point(explorer, 'left', second);
	await explorer.until(({text}) => /▸ .*\/b\//.test(text), 'the second one');
	point(explorer, 'left', second);
	await explorer.until(
		({text}) => /folder .*\/b\/▏/.test(text) && /▸ .*\/b\/in\//.test(text),
		'what is in it',
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Upload a dataset'), 'the dialog gone');
	explorer.press('6');
	await explorer.until(({text}) => /━ Projects ━/.test(text), 'the projects');
	explorer.press('a');
	const fields = await explorer.untilText('━ New project ━');
	point(explorer, 'left', locationOf(fields, ' more '));
	explorer.type('{}');
	await explorer.until(({text}) => /more +\{\}▏/.test(text), 'the second field typed into');
});

const on = '\u001b[?1000h\u001b[?1006h';
const off = '\u001b[?1006l\u001b[?1000l';

test('M releases the mouse to the terminal and captures it again', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explore(home, [], {cols: 120, service});
	await explorer.until(isFresh, 'the first episodes');
	expect(explorer.output()).toContain(on);
	explorer.press('M');
	await explorer.untilText('The mouse belongs to the terminal');
	expect(explorer.output().split(off)).toHaveLength(2);
	explorer.press('M');
	await explorer.untilText('The mouse scrolls and selects rows here.');
	expect(explorer.output().split(on)).toHaveLength(3);
});

test('with mouse: false in the configuration the terminal keeps it', async () => {
	const service = await hosted({episodes: 20});
	mkdirSync(home.at('quiet', 'lakescope'), {recursive: true});
	writeFileSync(home.at('quiet', 'lakescope', 'config.json'), '{"mouse": false}');
	const explorer = explore(home, [], {service, env: {XDG_CONFIG_HOME: home.at('quiet')}});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('q');
	await explorer.untilExit();
	expect(explorer.output()).not.toContain('?1000');
});
