import {execFile, spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {promisify} from 'node:util';
import {expect, onTestFinished} from 'vitest';

const run = promisify(execFile);

/** The version of the tmux that is installed; undefined where there is none. */
export const tmuxVersion: string | undefined =
	spawnSync('tmux', ['-V']).stdout?.toString().trim() || undefined;

export type TmuxOptions = {
	readonly cols: number;
	readonly rows: number;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The server's socket lies here. */
	readonly folder: string;
};

/** A program in a pane of a tmux of its own, which has no configuration but its own. */
export type TmuxPane = {
	/** tmux's own names of keys: `j`, `C-d`, `Enter`. */
	keys(...names: readonly string[]): Promise<void>;
	type(text: string): Promise<void>;
	resize(cols: number, rows: number): Promise<void>;
	/** The rows that show, blanks at their ends cut off. */
	rows(): Promise<readonly string[]>;
	/** What tmux's newest buffer holds. */
	buffer(): Promise<string>;
	/** Waits until the screen is so. */
	until(condition: (rows: readonly string[]) => boolean, what: string): Promise<readonly string[]>;
	/** Waits until the screen is that of another terminal, which may still change too. */
	untilSame(other: () => readonly string[]): Promise<void>;
};

/** Starts a shell's command line in tmux; its server ends with the test. */
export async function startInTmux(command: string, options: TmuxOptions): Promise<TmuxPane> {
	const {cols, rows, folder} = options;
	const server = randomUUID();
	const {TMUX: _outer, ...outside} = process.env;
	const env = {...outside, ...options.env, TMUX_TMPDIR: folder, TERM: 'xterm-256color'};
	const tmux = async (...args: readonly string[]) =>
		(await run('tmux', ['-L', server, '-f', '/dev/null', ...args], {env: env as NodeJS.ProcessEnv})).stdout;
	await tmux('new-session', '-d', '-x', `${cols}`, '-y', `${rows}`, command);
	onTestFinished(async () => {
		await tmux('kill-server').catch(() => undefined);
	});
	await tmux('set-option', '-g', 'status', 'off');
	await tmux('resize-window', '-x', `${cols}`, '-y', `${rows}`);

	async function shown(): Promise<readonly string[]> {
		const text = await tmux('capture-pane', '-p');
		return text
			.replace(/\n$/, '')
			.split('\n')
			.map(row => row.trimEnd());
	}

	const wait = {timeout: 45_000, interval: 50};
	return {
		keys: async (...names) => void (await tmux('send-keys', ...names)),
		type: async text => void (await tmux('send-keys', '-l', text)),
		resize: async (width, height) => void (await tmux('resize-window', '-x', `${width}`, '-y', `${height}`)),
		rows: shown,
		buffer: () => tmux('show-buffer'),
		async until(condition, what) {
			let last: readonly string[] = [];
			await expect
				.poll(async () => {
					last = await shown();
					return condition(last) ? what : `no ${what}:\n${last.join('\n')}`;
				}, wait)
				.toBe(what);
			return last;
		},
		async untilSame(other) {
			await expect
				.poll(async () => [await shown(), other()], wait)
				.toSatisfy(
					([ours, theirs]: readonly [readonly string[], readonly string[]]) =>
						ours.join('\n') === theirs.join('\n'),
				);
		},
	};
}
