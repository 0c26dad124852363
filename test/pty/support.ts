import {readFileSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {expect, inject} from 'vitest';
import type {Environment, ProgramHome} from '../commands/support/program.ts';
import {isSoak} from '../faults/support/soak.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {startCountingProxy} from '../support/counting-proxy.ts';
import {type PtyOptions, type PtyProgram, type Screen, startInPty} from '../support/pty.ts';

export type ExplorerOptions = Omit<PtyOptions, 'env'> & {
	readonly env?: Environment;
	readonly service?: Pick<HostedService, 'url' | 'key'>;
};

/** The built program in a terminal, with the files of a home of its own. */
export function explore(
	home: ProgramHome,
	args: readonly string[],
	{env, service, ...options}: ExplorerOptions = {},
): PtyProgram {
	const hosted = service === undefined ? {} : {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return startInPty(process.execPath, [inject('cli'), ...args], {
		cwd: home.root,
		...options,
		env: {...home.env, ...hosted, ...env},
	});
}

/** Has whoever joins the one service of a home go by a proxy, which counts what is asked and fails as it is told to. */
export async function goByProxy(home: ProgramHome, fails?: Parameters<typeof startCountingProxy>[1]) {
	const [file = ''] = await readdir(home.at('run', 'lakescope'));
	const found = home.at('run', 'lakescope', file);
	const record = JSON.parse(await readFile(found, 'utf8')) as {url: string};
	const proxy = await startCountingProxy(record.url, fails);
	await writeFile(found, JSON.stringify({...record, url: proxy.url}), {mode: 0o600});
	return proxy;
}

/** The row that is selected, of the pane that has the keyboard. */
export function selectedRow({rows}: Screen): string | undefined {
	return rows.find(row => row.includes('▸'))?.trimEnd();
}

/** The frame has been drawn down to its last row: what comes in pieces is not looked at half-way. */
export const isWhole = ({rows}: Screen) => /\? help$/.test(rows.at(-1) ?? '');

/** Rows are there, read just now. */
export const isFresh = (screen: Screen) =>
	isWhole(screen) && /(● live|◐ polling)/.test(screen.text) && /▸ +\d/.test(screen.text);

/** What a key took until its effect showed. */
export type KeyTime = {
	/** Milliseconds that passed: on a loaded machine any number. */
	readonly passed: number;
	/** Milliseconds that the thread worked that takes keys and draws: a loaded machine has it work no more. */
	readonly worked: number;
};

/** @returns what is called when the effect of a key shows that was pressed just now */
export function keyTimer({pid}: Pick<PtyProgram, 'pid'>): () => KeyTime {
	const worked = () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
	const before = {passed: performance.now(), worked: worked()};
	return () => ({passed: performance.now() - before.passed, worked: worked() - before.worked});
}

/**
 * How many times as long keys take while something else is done as while nothing is, both measured on the machine as it
 * is: by a share of them, 0.5 for the median.
 */
function slowdown(
	{idle, busy}: {readonly idle: readonly KeyTime[]; readonly busy: readonly KeyTime[]},
	by: keyof KeyTime,
	share: 0.5 | 0.95,
): number {
	const shareOf = (times: readonly KeyTime[]) =>
		times.map(time => time[by]).toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
	return shareOf(busy) / shareOf(idle);
}

/**
 * That keys are as quick while something else is done. On a machine that does nothing else the 95th percentile is judged
 * by the time that passes; on any other by the work of the thread that takes keys, and what passes by its median.
 */
export function expectQuick(times: Parameters<typeof slowdown>[0]): void {
	if (isSoak) {
		const ratio = slowdown(times, 'passed', 0.95);
		console.log(`keys, p95: ${ratio.toFixed(1)} times as long meanwhile`);
		expect(ratio).toBeLessThan(2);
		return;
	}
	expect(slowdown(times, 'worked', 0.95)).toBeLessThan(5);
	expect(slowdown(times, 'passed', 0.5)).toBeLessThan(10);
}
