import {mkdir, rm, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import path from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {explore} from '../pty/support.ts';
import type {Cell, PtyProgram, Screen} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {svgOf, type Theme} from './svg.ts';

const home = programHome();
const folder = path.resolve('docs/screens');
const env = {LAKESCOPE_TRAINER: standIn};
const deadlineMs = 60_000;
const backgrounds: Readonly<Record<Theme, string>> = {
	dark: 'rgb:1616/1818/1d1d',
	light: 'rgb:ffff/ffff/ffff',
};

const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The cells of a screen without what is different in every run: ids, this machine's name and paths. */
function steady(screen: Screen): readonly (readonly Cell[])[] {
	return screen.rows.map((_, row) => {
		const cells = Array.from({length: screen.columns}, (_, column) => screen.cell(row, column));
		for (const {index} of [...textOf(cells).matchAll(id)])
			for (let at = index; at < index + 36; at++) cells[at] = {...(cells[at] as Cell), text: 'x'};
		put(cells, home.root, '~');
		if (row === 0) put(cells, hostname(), 'lab-3');
		return cells;
	});
}

/** One letter a cell, so that a place in the text is a column. */
const textOf = (cells: readonly Cell[]) => cells.map(({text}) => text[0] ?? ' ').join('');

/** Writes one text in the place of another; the next wide gap, or the row's end, takes up the difference. */
function put(cells: Cell[], from: string, to: string): void {
	const at = textOf(cells).indexOf(from);
	if (at < 0) return;
	const look = cells[at] as Cell;
	cells.splice(at, from.length, ...[...to].map(text => ({...look, text})));
	const gap = /(?<= ) {3}/.exec(textOf(cells).slice(at));
	const gapAt = gap === null ? undefined : at + gap.index;
	const blank: Cell = {...look, text: ' ', bold: false, inverse: false, background: undefined};
	const more = to.length - from.length;
	if (more < 0) cells.splice(gapAt ?? cells.length, 0, ...Array<Cell>(-more).fill(blank));
	else cells.splice(gapAt ?? cells.length - more, more);
}

async function api(method: string, route: string, body: object): Promise<{project_id: string}> {
	const input = home.at('body.json');
	await writeFile(input, JSON.stringify(body));
	const {code, stdout, stderr} = await home.run(['api', method, route, '--sample', '--input', input], env);
	expect(code, stderr).toBe(0);
	return JSON.parse(stdout) as {project_id: string};
}

/** A job of the stand-in trainer that stays at its 25th step. */
async function launchJob(dataset: string, camera: string): Promise<void> {
	const {project_id} = await api('POST', '/v1/projects', {name: 'folding'});
	await api('POST', '/v1/finetune', {
		project_id,
		vla_type: 'act',
		dataset_id: dataset,
		name: 'waits at 25',
		hours: 1,
		camera_mappings: {[camera.split('.').at(-1) ?? '']: camera},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
	});
}

const isLive = ({text}: Screen) => text.includes('● live');

/** Waits until it shows, and then until nothing has moved for a moment. */
async function still(
	explorer: PtyProgram,
	condition: (screen: Screen) => unknown,
	what: string,
): Promise<Screen> {
	let last = await explorer.until(condition, what);
	for (let left = 20; left > 0; left--) {
		await pause(600);
		const next = await explorer.settled();
		if (next.text === last.text && condition(next)) break;
		last = next;
	}
	return explorer.until(condition, what);
}

/** The places, one after the other. */
async function visit(
	explorer: PtyProgram,
	dataset: string,
	shot: (name: string, screen: Screen) => Promise<void>,
): Promise<void> {
	const at = (condition: (screen: Screen) => unknown, what: string) => still(explorer, condition, what);
	await explorer.until(isLive, 'the sample');
	explorer.press('t');
	await explorer.until(({text}) => text.includes('worst first'), 'the suspects');
	for (let row = 0; row < 18; row++) explorer.press('j');
	await shot('triage', await at(({text}) => /▸ +\d/.test(text) && text.includes('suspect'), 'a suspect'));
	explorer.press('t');
	await explorer.until(({text}) => !text.includes('worst first'), 'everything again');
	explorer.press('/');
	explorer.type('tag:too-long tag:long-pause is:original');
	explorer.press('enter');
	await at(({text}) => /▸ +\d/.test(text) && !text.includes('matches'), 'those that pause for long');
	explorer.press('enter');
	await at(({text}) => text.includes('back'), 'an opened episode');
	explorer.press('enter');
	await shot('episode', await at(({text}) => /[\u2801-\u28ff]/.test(text), 'its plots'));
	// A key right behind ESC would be alt and that key.
	explorer.press('esc');
	await at(({text}) => text.includes('enter open'), 'the list of episodes');
	explorer.press('X');
	await at(({text}) => !text.includes('tag:long-pause is:original'), 'everything again');
	explorer.press('/');
	explorer.type('tier:retrainable quality_score>=0.8');
	await shot('filter', await at(({text}) => /quality_score>=0\.8/.test(text), 'the filter being typed'));
	explorer.press('esc');
	await at(({text}) => text.includes('enter open'), 'the list of episodes');
	explorer.press('3');
	await explorer.until(({text}) => /▸waits at 25/.test(text), 'the job in the list');
	explorer.press('enter');
	await shot(
		'job',
		await explorer.until(({text}) => /step +25 of 40/.test(text) && /━ waits at 25 ━/.test(text), 'the job'),
	);
	explorer.press(':');
	explorer.type('lau');
	await shot(
		'palette',
		await explorer.until(({text}) => text.includes('━ Command ━') && /: lau/.test(text), 'the palette'),
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('━ Command ━'), 'the palette closed');
	explorer.press('4', '/');
	explorer.type(dataset.split('/').at(-1) ?? '');
	explorer.press('enter');
	await explorer.until(({text}) => text.includes(`▸${dataset}`), 'the dataset in the list');
	explorer.press('l');
	await explorer.until(({text}) => /▸.*folding/.test(text), 'the projects');
	explorer.press('enter');
	await shot(
		'finetune',
		await at(({text}) => /▸ .*act /.test(text) && text.includes('Image keys: '), 'the types'),
	);
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	explorer.press('q');
	await explorer.untilExit();
}

test('the pictures of docs/screens', async () => {
	const first = explore(home, ['--sample'], {cols: 120, rows: 40, env, deadlineMs});
	await first.until(isLive, 'the sample');
	const sample = async () => (await home.run(['api', 'GET', '/local/v1/sample', '--sample'], env)).stdout;
	await expect.poll(sample, {timeout: 120_000, interval: 1000}).toContain('"ready"');
	const {code, stdout} = await home.run(['datasets', '--sample', '--json'], env);
	expect(code).toBe(0);
	const {items} = JSON.parse(stdout) as {items: {path: string}[]};
	const dataset = items.map(({path: name}) => name).toSorted()[0] ?? '';
	const keys = await home.run(
		['api', 'GET', `/v1/datasets/${dataset.split('/').at(-1)}/image-keys`, '--sample'],
		env,
	);
	const [camera = ''] = (JSON.parse(keys.stdout) as {image_keys: string[]}).image_keys;
	await launchJob(dataset, camera);
	first.press('q');
	await first.untilExit();

	await rm(folder, {recursive: true, force: true});
	await mkdir(folder, {recursive: true});
	for (const theme of ['dark', 'light'] as const) {
		for (const [cols, rows] of [
			[120, 40],
			[80, 24],
		] as const) {
			// A start goes back to where the last one ended.
			await rm(home.at('state'), {recursive: true, force: true});
			const explorer = explore(home, ['--sample'], {
				cols,
				rows,
				env,
				deadlineMs,
				background: backgrounds[theme],
			});
			await visit(explorer, dataset, (name, screen) =>
				writeFile(
					path.join(folder, `${name}-${cols}x${rows}-${theme}.svg`),
					svgOf(screen, steady(screen), theme, `lakescope: ${name}, ${cols}×${rows}, ${theme}`),
				),
			);
		}
	}
});
