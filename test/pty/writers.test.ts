import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {patience, randomFrom, times} from '../faults/support/soak.ts';
import {startHostedService} from '../hosted-service/server.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {explore, isFresh, isWhole} from './support.ts';

const home = programHome();

const writers = ['cells', 'incremental', 'ink'] as const;

/** Keys that mean the same whatever has been fetched by then, and give the service no orders. */
const keys = [
	...['j', 'j', 'j', 'k', 'down', 'up', 'g', 'G', 'ctrl+d', 'ctrl+u', 'pagedown', 'pageup'],
	...['tab', 'tab', 'shift+tab', 'n', 'N', '<', '>', 'o', 'z', '[', ']'],
];

/** Titles of what lies over the panes or in their place. */
const elsewhere = /━ (?:Columns|Help|Uploads|Jobs) ━/;

/** Each leads to something with such a title, or back; the next is pressed once that shows everywhere. */
const visits = [
	['c', 'Columns'],
	['esc', undefined],
	['?', 'Help'],
	['esc', undefined],
	['2', 'Uploads'],
	['3', 'Jobs'],
	['1', undefined],
] as const;

/**
 * Every cell of the screen with its look; a blank is a blank, whether it was written or erased. Not the first row: how
 * fresh everything is depends on the moment.
 */
function looks(screen: Screen): readonly string[] {
	const cells: string[] = [];
	for (let row = 1; row < screen.rows.length; row++) {
		for (let column = 0; column < screen.columns; column++) {
			const cell = screen.cell(row, column);
			const text = cell.width === 1 ? cell.text || ' ' : cell.text;
			cells.push(`row ${row}, column ${column}: ${JSON.stringify({...cell, text})}`);
		}
	}
	return cells;
}

/**
 * The jobs stand below the lake where there is room (each service here has one that runs): they take rows from the panes,
 * so that half a page is less with them than before they came.
 */
const hasJobsBelow = ({columns, rows, text}: Screen) =>
	columns < 140 || rows.length < 44 || text.includes('─ Jobs ─');

/** Escape goes as a sequence, so that the next key is not taken for a part of it. */
function press(program: PtyProgram, key: string): void {
	if (key === 'esc') program.send('\u001b[27u');
	else program.press(key);
}

async function untilAlike(programs: readonly PtyProgram[], what: string): Promise<void> {
	await expect
		.poll(
			async () => {
				const screens = await Promise.all(programs.map(program => program.settled()));
				const [first, ...others] = screens.map(looks);
				const where = first?.findIndex((cell, at) => others.some(other => other[at] !== cell)) ?? -1;
				if (where < 0) return 'alike';
				return [...[first, ...others].map(cells => cells?.[where]), ...screens.map(({text}) => text)].join(
					'\n',
				);
			},
			{timeout: 45_000, message: what},
		)
		.toBe('alike');
}

test('the same keys leave the same screen with each writer', {
	timeout: patience(times(2, 40), 60_000),
}, async () => {
	const random = randomFrom(5);
	for (let script = 0; script < times(2, 40); script++) {
		// One page: no key comes before the rows that it is about.
		const service = await startHostedService({episodes: {count: 95, hostile: script % 2 === 1}});
		onTestFinished(() => service.close());
		const size = {cols: 60 + Math.floor(random() * 100), rows: 20 + Math.floor(random() * 30)};
		const programs = writers.map(writer => {
			const state = path.join(home.root, `state-${script}-${writer}`);
			return explore(home, [], {...size, service, env: {LAKESCOPE_WRITER: writer, XDG_STATE_HOME: state}});
		});
		for (const program of programs) {
			await program.until(screen => isFresh(screen) && hasJobsBelow(screen), 'the first episodes and jobs');
		}
		const pressed: string[] = [];
		for (let step = 0; step < 6; step++) {
			const next = Array.from({length: 6}, () => keys[Math.floor(random() * keys.length)] ?? 'j');
			pressed.push(...next);
			for (const program of programs) for (const key of next) press(program, key);
			await untilAlike(programs, `script ${script}, after ${pressed.join(' ')}`);
		}
		for (const program of programs) press(program, 'esc');
		for (const [key, title] of visits) {
			for (const program of programs) press(program, key);
			const isThere = (screen: Screen) =>
				title === undefined
					? isWhole(screen) && !elsewhere.test(screen.text)
					: screen.text.includes(`━ ${title} ━`);
			for (const program of programs) await program.until(isThere, `${title ?? 'the panes'} after ${key}`);
			await untilAlike(programs, `script ${script}, after ${key} after ${pressed.join(' ')}`);
		}
		// All of that has been done once the screen is drawn from nothing, which must not show.
		const erased = (program: PtyProgram) => program.output().split('\u001b[2J').length;
		const before = programs.map(erased);
		for (const program of programs) program.press('ctrl+l');
		await expect.poll(() => programs.every((program, at) => erased(program) > (before[at] ?? 0))).toBe(true);
		await untilAlike(programs, `script ${script}, drawn again after ${pressed.join(' ')}`);
		for (const program of programs) program.press('ctrl+c');
		for (const program of programs) expect(await program.untilExit()).toMatchObject({code: 0});
	}
});

test('an unknown writer is reported, and nothing is touched', async () => {
	const program = explore(home, [], {env: {LAKESCOPE_WRITER: 'other'}});
	expect(await program.untilExit()).toMatchObject({code: 2});
	expect(program.output()).toContain('LAKESCOPE_WRITER is cells, incremental or ink, not other.');
	expect(program.screen().isAlternate).toBe(false);
});
