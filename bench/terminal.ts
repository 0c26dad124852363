import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {buildProgram, bundleBare, cleanEnvironment, root, startHosted} from './bundle.ts';
import {printRow} from './row.ts';
import {type Answer, type DrivenProgram, drive} from './terminal/driven-program.ts';
import {floorOf} from './terminal/floor.ts';

const rounds = 5;
const idleMs = 10_000;

/** What the start and the keys set off is over by then: pages beside the first, what is remembered, garbage. */
const settleMs = 10_000;

/** The actions that are measured: their keys, and how often each is pressed a round. */
const actions = [
	{name: 'j', keys: 'j', times: 30},
	{name: 'page down', keys: '\u001b[6~', times: 10},
	{name: 'tab', keys: '\t', times: 9},
] as const;

/** On the facets, which `shift+tab` focuses: picks the value under the cursor, and takes it back. */
const toggle = {name: 'facet toggle', keys: ' ', times: 6} as const;
const shiftTab = '\u001b[Z';

type Sample = {readonly answers: readonly Answer[]; readonly cpu: number};

/**
 * The explorer on a result of 200,000 episodes in a terminal of 200×50: its bytes beside those of an ideal writer, the
 * same program through Ink's own incremental mode, and a bare Ink list, turn by turn; medians.
 */
export async function run(): Promise<void> {
	const folder = await mkdtemp(path.join(root, 'node_modules', '.bench-terminal-'));
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-bench-terminal-'));
	const {url, stop} = await startHosted(200_000);
	try {
		const cli = await buildProgram(folder);
		const bare = await bundleBare('bench/terminal/bare-list.tsx', path.join(folder, 'bare'));
		const env = cleanEnvironment(home);
		let started = 0;
		const explorer = (writer: string) => {
			// Each begins as the first did: the place where one was left is remembered for the next.
			const state = path.join(home, `state-${started++}`);
			return drive([cli, '--url', url], {...env, XDG_STATE_HOME: state, LAKESCOPE_WRITER: writer});
		};
		const cells: Sample[][] = [];
		const incremental: Sample[][] = [];
		const list: Answer[] = [];
		for (let round = 0; round < rounds; round++) {
			cells.push(await explored(explorer('cells')));
			incremental.push(await explored(explorer('incremental')));
			list.push(...(await listed(drive([bare], env))));
		}
		notify(cells, incremental, list);
		await tellRest(explorer('cells'));
	} finally {
		stop();
		await rm(folder, {recursive: true, force: true});
		await rm(home, {recursive: true, force: true});
	}
}

const explorerIsThere = (screen: string) => /[●◐] (live|polling)/.test(screen) && /▸ +0 +\S/.test(screen);

/** @returns a sample for each of the actions, the facet toggle last. */
async function explored(program: DrivenProgram): Promise<Sample[]> {
	await program.until(explorerIsThere);
	const samples: Sample[] = [];
	for (const {keys, times} of actions) samples.push(await pressed(program, keys, times));
	await program.press(shiftTab);
	await program.press('j');
	samples.push(await pressed(program, toggle.keys, toggle.times));
	await program.end();
	return samples;
}

async function listed(program: DrivenProgram): Promise<readonly Answer[]> {
	await program.until(screen => screen.includes('ready'));
	const {answers} = await pressed(program, 'j', actions[0].times);
	await program.end();
	return answers;
}

async function pressed(program: DrivenProgram, keys: string, times: number): Promise<Sample> {
	// The first of a kind is compiled on the way.
	for (let warm = 0; warm < 3; warm++) await program.press(keys);
	const answers: Answer[] = [];
	const cpu = program.cpu();
	for (let turn = 0; turn < times; turn++) answers.push(await program.press(keys));
	return {answers, cpu: (program.cpu() - cpu) / times};
}

function notify(cells: Sample[][], incremental: Sample[][], list: readonly Answer[]): void {
	const of = (samples: Sample[][], at: number) => samples.flatMap(round => round[at]?.answers ?? []);
	const cpuOf = (samples: Sample[][], at: number) =>
		median(samples.map(round => round[at]?.cpu ?? Number.NaN));
	const bytesOf = (answers: readonly Answer[]) => median(answers.map(({bytes}) => bytes));
	const named = [...actions, toggle];
	for (const [at, {name}] of named.entries()) {
		const answers = of(cells, at);
		const floors = answers.map(({before, after, cursor}) => floorOf(before, after, cursor).bytes);
		printRow({
			what: `bytes for ${name} / an ideal writer's`,
			ratio: bytesOf(answers) / median(floors),
			bound: 1.15,
			figures: `${bytesOf(answers)} / ${median(floors)} bytes, medians of ${answers.length}`,
		});
	}
	const [ours, theirs] = [of(cells, 0), of(incremental, 0)];
	printRow({
		what: 'bytes for j / LAKESCOPE_WRITER=incremental',
		ratio: bytesOf(ours) / bytesOf(theirs),
		bound: 0.5,
		figures: `${bytesOf(ours)} / ${bytesOf(theirs)} bytes`,
	});
	for (const [at, {name}] of named.entries()) {
		printRow({
			what: `CPU for ${name} / LAKESCOPE_WRITER=incremental`,
			ratio: cpuOf(cells, at) / cpuOf(incremental, at),
			bound: 1,
			figures: `${cpuOf(cells, at).toFixed(1)} / ${cpuOf(incremental, at).toFixed(1)} ms`,
		});
	}
	const lastByte = (answers: readonly Answer[]) =>
		median(answers.map(({milliseconds = Number.NaN}) => milliseconds));
	printRow({
		what: 'j to its last byte / a bare Ink list of as many rows',
		ratio: lastByte(ours) / lastByte(list),
		bound: 1.5,
		figures: `${lastByte(ours).toFixed(1)} / ${lastByte(list).toFixed(1)} ms`,
	});
}

async function tellRest(program: DrivenProgram): Promise<void> {
	await program.until(explorerIsThere);
	const {frames} = await program.press('j'.repeat(100));
	if (!/▸ +100 /.test(program.screen()))
		throw new Error(`100 × j did not land on row 100:\n${program.screen()}`);
	printRow({
		what: '100 × j in one burst: frames / 1',
		ratio: frames,
		bound: 12,
		figures: 'lands 100 rows on',
	});
	await program.press('k');
	await program.idle(settleMs);
	const {bytes, cpuPercent} = await program.idle(idleMs);
	printRow({
		what: 'idle for 10 s: CPU / 1 % of a processor',
		ratio: cpuPercent,
		bound: 0.5,
		figures: `${bytes} bytes`,
	});
	if (bytes > 0) throw new Error(`${bytes} bytes were written while nothing happened`);
	await program.end();
}

function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
