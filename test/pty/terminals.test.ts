import {describe, expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

const shows =
	(...texts: readonly string[]) =>
	({text}: Screen) =>
		texts.every(each => text.includes(each));

test('TERM=dumb gets lines, and only those that changed, without a control sequence', async () => {
	const service = await hosted({episodes: 50});
	const explorer = explore(home, [], {service, env: {TERM: 'dumb'}});
	const printed = (...lines: readonly string[]) => lines.every(line => explorer.output().includes(line));
	await explorer.until(() => printed('* live', '1 of 50', '>    0', '? help'), 'the first frame');
	const before = explorer.output().length;
	explorer.press('j');
	await explorer.until(() => printed('2 of 50', '>    1'), 'the next row selected');
	const lines = explorer.output().slice(before).split('\r\n');
	expect(lines.filter(line => / fold-lab/.test(line))).toHaveLength(2);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	const output = explorer.output();
	expect(output).toMatch(/^[\x20-\x7e\r\n]*$/);
	// The shell's prompt stands in a line of its own.
	expect(output.endsWith('\r\n')).toBe(true);
});

test('for a screen reader there is no alternate screen, no drawing, and one pane at a time', async () => {
	const service = await hosted({episodes: 50});
	const env = {INK_SCREEN_READER: 'true'};
	const explorer = explore(home, [], {cols: 160, rows: 50, service, env});
	await explorer.until(shows('live', '1 of 50', '> 0', '? help'), 'the first frame');
	explorer.press('j');
	const screen = await explorer.until(shows('2 of 50', '> 1'), 'the next row selected');
	expect(screen.isAlternate).toBe(false);
	// Neither lines nor blocks, nor what stands for them in ASCII.
	expect(screen.text).not.toMatch(/[\u2500-\u259f]/);
	expect(screen.text).not.toMatch(/ {2}|[-=|]{3}/);
	expect(screen.rows.filter(row => row.startsWith('lakescope'))).toHaveLength(1);
	expect(screen.text).not.toContain('Layout');
	explorer.press('shift+tab');
	const facets = await explorer.until(shows('Layout'), 'the facets in place of the table');
	expect(facets.text).not.toContain('> 1');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	expect(explorer.output()).not.toMatch(/\[\?(?:1049|1000|25)/);
	expect((await explorer.settled()).cursor.column).toBe(0);
});

const [cyan, blue] = [6, 4];

describe('colours', () => {
	const focusColour = (screen: Screen) => screen.look('━#━').foreground;

	test('on a dark background, or an unknown one, cyan marks the focus', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {cols: 120, rows: 40, service, env: {TERM: 'xterm'}});
		expect(focusColour(await explorer.until(isFresh, 'the first episodes'))).toBe(cyan);
		// No more than the sixteen that every user can choose.
		expect(explorer.output()).not.toMatch(/\[[\d;]*[34]8[;:][25]/);
	});

	test('on a light background named by the environment, a colour readable on white marks the focus', async () => {
		const service = await hosted({episodes: 50});
		const env = {COLORFGBG: '0;15'};
		const explorer = explore(home, [], {cols: 120, rows: 40, service, env});
		expect(focusColour(await explorer.until(isFresh, 'the first episodes'))).toBe(blue);
	});

	test('the terminal is asked for its background, and the colours follow its answer', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {cols: 120, rows: 40, service, background: 'rgb:ffff/fafa/f0f0'});
		await explorer.until(screen => isFresh(screen) && focusColour(screen) === blue, 'colours for white');
	});
});

test('every size from 20×5 to 500×200 is filled, live, and nothing goes over the edge', async () => {
	const service = await hosted({episodes: 500});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('j', 'j', 'j');
	await explorer.until(shows('4 of 500'), 'the fourth row');
	for (const [cols, rows] of [
		[500, 200],
		[20, 5],
		[61, 20],
		[160, 12],
		[33, 90],
		[500, 5],
		[20, 200],
		[99, 27],
		[100, 28],
		[240, 66],
	] as const) {
		explorer.resize(cols, rows);
		const screen = await explorer.until(
			({rows: shown, text, columns}) =>
				columns === cols &&
				shown[0]?.startsWith(' lakescope') &&
				/▸ *3\b/.test(text) &&
				/(\? help|…)$/.test(shown.at(-1) ?? ''),
			`${cols}×${rows}`,
		);
		expect(screen.rows.filter(row => row.startsWith(' lakescope'))).toHaveLength(1);
	}
});

test('CJK, emoji and combining marks leave every border in its column', async () => {
	const service = await hosted({episodes: {count: 200, hostile: true}});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	const screen = await explorer.until(
		({text}) => /(● live|◐ polling)/.test(text) && /▸ +\d/.test(text),
		'the first episodes',
	);
	const edge = screen.rows[2]?.indexOf('┬') ?? -1;
	expect(edge).toBeGreaterThan(20);
	for (let row = 3; row < 39; row++) expect('│├┤┼').toContain(screen.cell(row, edge).text);
	expect(screen.text).toMatch(/[\p{Script=Han}\p{Extended_Pictographic}]/u);
});
