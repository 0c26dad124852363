import {inject} from 'vitest';
import type {Environment, ProgramHome} from '../commands/support/program.ts';
import type {HostedService} from '../hosted-service/server.ts';
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

/** The row that is selected, of the pane that has the keyboard. */
export function selectedRow({rows}: Screen): string | undefined {
	return rows.find(row => row.includes('▸'))?.trimEnd();
}

/** The frame has been drawn down to its last row: what comes in pieces is not looked at half-way. */
export const isWhole = ({rows}: Screen) => /\? help$/.test(rows.at(-1) ?? '');

/** Rows are there, read just now. */
export const isFresh = (screen: Screen) =>
	isWhole(screen) && /(● live|◐ polling)/.test(screen.text) && /▸ +\d/.test(screen.text);

const shareOf = (values: readonly number[], share: number) =>
	values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

/**
 * How many times as long keys take while something else is done as while nothing is, both measured on the machine as it
 * is: by the median, or by the 95th percentile where the machine does nothing else.
 */
export function slowdown(
	{idle, busy}: {readonly idle: readonly number[]; readonly busy: readonly number[]},
	share: 0.5 | 0.95,
): number {
	return shareOf(busy, share) / shareOf(idle, share);
}
