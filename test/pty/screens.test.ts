import {describe, expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hosted} from '../support/hosted.ts';
import {explore, isFresh, isWhole, selectedRow} from './support.ts';

const home = programHome();

describe('every size is filled and nothing goes over the edge', () => {
	test.each([
		[60, 20],
		[80, 24],
		[120, 40],
		[200, 50],
	])('%i×%i', async (cols, rows) => {
		const service = await hosted({episodes: 500});
		const explorer = explore(home, [], {cols, rows, service});
		const screen = await explorer.until(isFresh, 'the first episodes');
		expect(screen.rows[0]).toMatch(/^ lakescope /);
		expect(screen.rows[1]).toMatch(/^ \/ /);
		expect(screen.rows[2]).toMatch(/━#━/);
		expect(screen.rows[rows - 1]).toMatch(/enter open .*\? help$/);
		// Something that was too wide would have wrapped and pushed the rest down.
		expect(screen.rows.filter(row => row.startsWith(' lakescope '))).toHaveLength(1);
		for (const pane of ['tab', 'tab', 'tab']) {
			explorer.press(pane);
			await explorer.settled();
		}
		const back = await explorer.until(isFresh, 'the table again');
		expect(back.rows).toHaveLength(rows);
	});

	test('the panes follow the window’s size, down to one sentence', async () => {
		const service = await hosted({episodes: 500});
		const explorer = explore(home, [], {cols: 120, rows: 40, service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.press('j', 'j', 'j');
		await explorer.untilText('4 of 500');
		for (const [cols, rows] of [
			[80, 24],
			[60, 20],
			[40, 10],
			[20, 5],
		] as const) {
			explorer.resize(cols, rows);
			await explorer.until(screen => screen.columns === cols && /▸ +3/.test(screen.text), `${cols}×${rows}`);
		}
		explorer.resize(19, 5);
		await explorer.untilText('needs 20×5');
		explorer.resize(200, 50);
		await explorer.until(({rows}) => /▸ +3/.test(rows.join('\n')) && rows[2]?.includes('· 3 ─'), '200×50');
	});
});

test('the focused pane and the selected row are recognizable without colour', async () => {
	const service = await hosted({episodes: 500});
	const env = {NO_COLOR: '1'};
	const explorer = explore(home, [], {cols: 120, rows: 40, service, env});
	const table = await explorer.until(isFresh, 'the first episodes');
	expect(table.rows[2]).toMatch(/─Tas|Task─.*┬━━/);
	expect(table.look('▸')).toMatchObject({inverse: true, bold: true, foreground: undefined});
	explorer.press('shift+tab');
	const facets = await explorer.until(({rows}) => /^▸Task━/.test(rows[2] ?? ''), 'the facets focused');
	expect(facets.rows[2]).toMatch(/┬──/);
	expect(facets.text).toContain('▹');
	for (const [row, line] of facets.rows.entries()) {
		for (let column = 0; column < line.length; column++) {
			expect(facets.cell(row, column)).toMatchObject({foreground: undefined, background: undefined});
		}
	}
});

test('without UTF-8 everything is ASCII', async () => {
	const service = await hosted({episodes: {count: 60, hostile: true}});
	const explorer = explore(home, [], {cols: 120, rows: 40, service, env: {LANG: 'C'}});
	const screen = await explorer.until(
		({text}) => /(\* live|~ polling)/.test(text) && /> +\d/.test(text),
		'the first episodes',
	);
	expect(screen.text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
});

describe('hostile strings in every field', () => {
	/** What the strings would make a terminal do. */
	const orders = [
		'\u001B]0;renamed',
		'\u001B]8;;https://attacker',
		'\u001B]52;',
		'\u001B[2J\u001B[Hcleared',
		'\u001B[31mred without end',
		'\u009B',
		'\u0090',
		'\u202E',
		'\u2066',
		'\u{E0041}',
		'\u0007',
	];

	test.each([
		[80, 24],
		[200, 50],
	])('none reaches the terminal, and no row is wider than it (%i×%i)', async (cols, rows) => {
		const service = await hosted({episodes: {count: 300, hostile: true}});
		const explorer = explore(home, [], {cols, rows, service});
		await explorer.until(
			({text}) => /(● live|◐ polling)/.test(text) && /▸ +\d/.test(text),
			'the first episodes',
		);
		for (let step = 0; step < 24; step++) {
			explorer.press('j');
			if (step % 6 === 0) explorer.press('enter', 'pagedown', 'esc', 'shift+tab', 'j', 'tab');
		}
		const screen = await explorer.until(
			shown => shown.text.includes('25 of 300') && isWhole(shown) && selectedRow(shown) !== undefined,
			'the 25th episode selected',
		);
		expect(screen.rows.filter(row => row.startsWith(' lakescope '))).toHaveLength(1);
		expect(screen.isAlternate).toBe(true);
		const output = explorer.output();
		for (const order of orders) expect(output).not.toContain(order);
	});
});
