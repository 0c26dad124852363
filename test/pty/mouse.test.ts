import {mkdirSync, writeFileSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {type Episodes, type HostedService, startHostedService} from '../hosted-service/server.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

async function hosted(episodes: Episodes): Promise<HostedService> {
	const service = await startHostedService({episodes});
	onTestFinished(() => service.close());
	return service;
}

type Place = {readonly row: number; readonly column: number};

const code = {left: 0, up: 64, down: 65} as const;

/** What a terminal sends when a button goes down and up, or the wheel is turned, over a cell. */
function point(program: PtyProgram, button: keyof typeof code, {row, column}: Place): void {
	const at = `${code[button]};${column + 1};${row + 1}`;
	program.send(button === 'left' ? `\u001b[<${at}M\u001b[<${at}m` : `\u001b[<${at}M`);
}

function placeOf(screen: Screen, text: string): Place {
	const at = screen.find(text);
	if (at === undefined) throw new Error(`no “${text}” on the screen`);
	return at;
}

test('the wheel scrolls the pane under the pointer, a press selects, another one opens', async () => {
	const service = await hosted(2000);
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
	const service = await hosted(2000);
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	const screen = await explorer.until(isFresh, 'the first episodes');
	const at = placeOf(screen, '▢ ');
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

const isWholeResult = ({rows}: Screen) => /1 of [\d,]+/.test(rows[1] ?? '');

test('the footer and the filter line are pressed, and the help is scrolled', async () => {
	const service = await hosted(200);
	const explorer = explore(home, [], {cols: 100, rows: 20, service});
	// What the service can do is known a moment later, and moves the hints of the footer.
	const screen = await explorer.until(
		shown => isFresh(shown) && shown.text.includes('reject, here only'),
		'the first episodes',
	);
	point(explorer, 'left', placeOf(screen, '? help'));
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
	const service = await hosted(20);
	const explorer = explore(home, [], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('3');
	const jobs = await explorer.until(
		({text}) => /1 of \d+━/.test(text) && text.includes('✗ failed') && text.includes('✓ completed'),
		'the jobs, each with its state',
	);
	const at = placeOf(jobs, '▸');
	point(explorer, 'left', {row: at.row + 1, column: 20});
	const second = await explorer.until(({text}) => /2 of \d+━/.test(text), 'the second job selected');
	expect(placeOf(second, '▸').row).toBe(at.row + 1);
});

test('a dialog’s list answers, and nothing behind the dialog does', async () => {
	const service = await hosted(200);
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	const table = await explorer.until(isFresh, 'the first episodes');
	explorer.press(':');
	explorer.type('help');
	const palette = await explorer.until(
		({text}) => /━ Command ━/.test(text) && / : help▏/.test(text) && /▸ help/.test(text),
		'the command found',
	);
	point(explorer, 'left', placeOf(table, '? help'));
	point(explorer, 'left', {row: 1, column: 20});
	point(explorer, 'left', placeOf(palette, '▸ help'));
	const help = await explorer.untilText('━ Help ━');
	expect(help.text).not.toContain('━ Command ━');
	expect(help.rows[1]).toMatch(/^ \/ everything/);
});

const on = '\u001b[?1000h\u001b[?1006h';
const off = '\u001b[?1006l\u001b[?1000l';

test('M leaves the mouse to the terminal and takes it again', async () => {
	const service = await hosted(20);
	const explorer = explore(home, [], {cols: 120, service});
	await explorer.until(isFresh, 'the first episodes');
	expect(explorer.output()).toContain(on);
	explorer.press('M');
	await explorer.untilText('The mouse is left to the terminal');
	expect(explorer.output().split(off)).toHaveLength(2);
	explorer.press('M');
	await explorer.untilText('The mouse scrolls and selects rows here.');
	expect(explorer.output().split(on)).toHaveLength(3);
});

test('with mouse: false in the configuration the terminal keeps it', async () => {
	const service = await hosted(20);
	mkdirSync(home.at('quiet', 'lakescope'), {recursive: true});
	writeFileSync(home.at('quiet', 'lakescope', 'config.json'), '{"mouse": false}');
	const explorer = explore(home, [], {service, env: {XDG_CONFIG_HOME: home.at('quiet')}});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('q');
	await explorer.untilExit();
	expect(explorer.output()).not.toContain('?1000');
});
