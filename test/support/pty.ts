import type {ReadStream} from 'node:tty';
import {spawn} from '@lydell/node-pty';
import {Terminal} from '@xterm/headless';
import {onTestFinished} from 'vitest';
import {parseKeys} from '../../source/input/key-name.ts';
import {captureScreen, frame, type Screen} from './pty-screen.ts';
import {giveOurWidths} from './pty-widths.ts';

export type {Cell, Screen} from './pty-screen.ts';

export type PtyOptions = {
	/** @default 80 */
	readonly cols?: number;
	/** @default 24 */
	readonly rows?: number;
	/** Added to a small, clean environment: nothing of CI, SSH, tmux or the tester's own leaks in. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
	/** The terminal says that it knows the kitty keyboard protocol. @default false */
	readonly knowsKitty?: boolean;
	/** What the terminal says of its background (`rgb:ffff/ffff/ffff`); nothing without it. */
	readonly background?: string;
	/** What it says of its abilities (DA1, as `62;4`); `none` says nothing to anything. @default as xterm.js does */
	readonly attributes?: string | 'none';
	/** What else it answers: to each occurrence of the one bytes with the others. */
	readonly answers?: readonly {readonly to: string; readonly with: string}[];
	/** It takes what it does not know for text: `ESC _` and what follows. @default false */
	readonly showsApc?: boolean;
	/** All of `answers` and `attributes` come so much later, as over a network. @default 0 */
	readonly answersAfterMs?: number;
	/** How long any `until` waits before the test fails. @default 15 000 */
	readonly deadlineMs?: number;
};

export type Exit = {readonly code: number; readonly signal: number | undefined};

/** A program in its own terminal, driven as a person would. */
export type PtyProgram = {
	readonly pid: number;
	/** The terminal's device, for what others write to it. */
	readonly device: string;
	/** Presses keys one after another, each sent by itself; names as bindings write them. */
	press(...keys: readonly string[]): void;
	/** Types text in one burst. */
	type(text: string): void;
	/** Pastes as a terminal does whose program asked for bracketed paste. */
	paste(text: string): void;
	/** Sends bytes as they are. */
	send(bytes: string): void;
	resize(cols: number, rows: number): void;
	/** The current screen. */
	screen(): Screen;
	/** Waits until the screen is so; fails with the screen when it is not in time. */
	until(condition: (screen: Screen) => unknown, what: string): Promise<Screen>;
	/** Waits until everything the program has written so far also shows. */
	settled(): Promise<Screen>;
	/** Waits until the text shows. */
	untilText(text: string): Promise<Screen>;
	/** Waits until the program has ended. */
	untilExit(): Promise<Exit>;
	/** Every byte the program has written. */
	output(): string;
	/** Sends the program a signal. */
	signal(name: NodeJS.Signals): void;
	/** Reads nothing more of what the program writes, as ctrl+s and a hung connection do. */
	stopReading(): void;
	/** Closes the terminal, as a dropped connection does. */
	hangUp(): void;
};

const keyBytes: Readonly<Record<string, string>> = {
	enter: '\r',
	tab: '\t',
	space: ' ',
	esc: '\u001b',
	backspace: '\u007f',
	delete: '\u001b[3~',
	insert: '\u001b[2~',
	up: '\u001b[A',
	down: '\u001b[B',
	right: '\u001b[C',
	left: '\u001b[D',
	home: '\u001b[H',
	end: '\u001b[F',
	pageup: '\u001b[5~',
	pagedown: '\u001b[6~',
	'shift+tab': '\u001b[Z',
	f1: '\u001bOP',
	f5: '\u001b[15~',
};

/** The bytes that a terminal sends for a key. */
function bytesOf(key: string): string {
	const [name = ''] = parseKeys(key);
	const known = keyBytes[name];
	if (known !== undefined) return known;
	const control = /^ctrl\+([a-z@[\\\]^_])$/.exec(name)?.[1];
	if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
	if (name.startsWith('alt+')) return `\u001b${bytesOf(name.slice(4))}`;
	if (name.includes('+') && name.length > 1) throw new Error(`no bytes known for the key ${key}`);
	return name;
}

/** Where a synchronized update ends: on a busy machine one read holds several, and each of them was seen. */
const frameEnd = '\u001b[?2026l';

function environment(extra: PtyOptions['env']): Record<string, string> {
	const inherited = ['PATH', 'HOME', 'TMPDIR', 'USER'];
	const clean = Object.fromEntries(inherited.map(name => [name, process.env[name]]));
	const env = {...clean, TERM: 'xterm-256color', LANG: 'C.UTF-8', COLORTERM: 'truecolor', ...extra};
	return Object.fromEntries(
		Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
	);
}

/**
 * Starts a program in a pseudo-terminal; when the test ends, it and what it left in its process group are
 * ended.
 */
export function startInPty(program: string, args: readonly string[], options: PtyOptions = {}): PtyProgram {
	const {cols = 80, rows = 24, env, cwd, knowsKitty = false, background, deadlineMs = 45_000} = options;
	const terminal = new Terminal({cols, rows, allowProposedApi: true, scrollback: 1000});
	giveOurWidths(terminal);
	const variables = environment(env);
	const pty = spawn(program, [...args], {
		// It becomes TERM, whatever the environment says.
		name: variables.TERM ?? '',
		cols,
		rows,
		cwd: cwd ?? process.cwd(),
		env: variables,
		encoding: null,
	});
	const decoder = new TextDecoder();
	let output = '';
	let exit: Exit | undefined;
	const watchers = new Set<() => void>();
	const answerTo = answering(options, answer => {
		if (exit === undefined) pty.write(answer);
	});
	const wake = () => {
		for (const watcher of [...watchers]) watcher();
	};

	pty.onData(data => {
		const bytes: string | Uint8Array = data;
		const text = typeof bytes === 'string' ? bytes : decoder.decode(bytes, {stream: true});
		output += text;
		answerTo(output);
		// Not as bytes: xterm.js loses a “…” of which a chunk ends after the second byte.
		const shown = options.showsApc ? text.replaceAll('\u001b_', '') : text;
		const parts = shown.split(frameEnd);
		for (const [place, part] of parts.entries()) {
			terminal.write(place < parts.length - 1 ? part + frameEnd : part, wake);
		}
	});
	// What the terminal itself answers (device attributes, cursor position) goes back as if typed.
	terminal.onData(answer => {
		if (exit === undefined) pty.write(answer);
	});
	if (options.attributes !== undefined) {
		terminal.parser.registerCsiHandler({final: 'c'}, () => true);
		terminal.parser.registerCsiHandler({prefix: '>', final: 'q'}, () => true);
	}
	if (background !== undefined) {
		terminal.parser.registerOscHandler(11, () => {
			pty.write(`\u001b]11;${background}\u001b\\`);
			return true;
		});
	}
	if (knowsKitty) {
		terminal.parser.registerCsiHandler({prefix: '?', final: 'u'}, () => {
			pty.write('\u001b[?0u');
			return true;
		});
	}
	pty.onExit(({exitCode, signal}) => {
		exit = {code: exitCode, signal: signal === 0 ? undefined : signal};
		wake();
	});

	const device = devicePath(pty);
	const takeAway = readToTheEnd(pty);

	onTestFinished(() => {
		if (exit === undefined) killGroup(pty.pid);
		terminal.dispose();
	});

	/** Resolves with what `check` gives as soon as it is not undefined. */
	function watch<T>(check: () => T | undefined, what: string): Promise<T> {
		const late = new Error(`waited ${deadlineMs / 1000} s for ${what}`);
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				watchers.delete(attempt);
				const state = exit === undefined ? 'still running' : `ended with ${exit.code}`;
				late.message += ` (the program has ${state}); the screen:\n${frame(captureScreen(terminal).rows, terminal.cols)}`;
				reject(late);
			}, deadlineMs);
			function attempt(): void {
				const result = check();
				if (result === undefined) return;
				clearTimeout(timer);
				watchers.delete(attempt);
				resolve(result);
			}
			watchers.add(attempt);
			attempt();
		});
	}

	/** Half a frame is never looked at: a terminal that knows synchronized output does not show it either. */
	const whole = () => (terminal.modes.synchronizedOutputMode ? undefined : captureScreen(terminal));

	const until: PtyProgram['until'] = (condition, what) =>
		watch(() => {
			const screen = whole();
			return screen !== undefined && condition(screen) ? screen : undefined;
		}, what);

	return {
		pid: pty.pid,
		device,
		press(...keys) {
			for (const key of keys) pty.write(bytesOf(key));
		},
		type: text => pty.write(text),
		paste: text => pty.write(`\u001b[200~${text}\u001b[201~`),
		send: bytes => pty.write(bytes),
		resize(nextCols, nextRows) {
			terminal.resize(nextCols, nextRows);
			pty.resize(nextCols, nextRows);
		},
		screen: () => captureScreen(terminal),
		until,
		settled: () => new Promise(resolve => terminal.write('', () => resolve(watch(whole, 'a whole frame')))),
		untilText: text => until(screen => screen.text.includes(text), `“${text}”`),
		untilExit: () => watch(() => exit, 'the program to end'),
		output: () => output,
		signal: name => process.kill(pty.pid, name),
		stopReading: () => pty.pause(),
		hangUp() {
			// The master's side: the program sees what it sees when a connection drops.
			takeAway();
		},
	};
}

/** @returns what is called with everything written so far, and sends what is to be answered to what came new. */
function answering(
	{attributes = 'none', answers = [], answersAfterMs = 0}: PtyOptions,
	send: (answer: string) => void,
): (output: string) => void {
	const toAttributes = attributes === 'none' ? [] : [{to: '\u001b[c', with: `\u001b[?${attributes}c`}];
	const all = [...answers, ...toAttributes].map(answer => ({...answer, from: 0}));
	return output => {
		for (const answer of all) {
			for (let at = output.indexOf(answer.to, answer.from); at >= 0; ) {
				answer.from = at + answer.to.length;
				if (answersAfterMs === 0) send(answer.with);
				else setTimeout(send, answersAfterMs, answer.with);
				at = output.indexOf(answer.to, answer.from);
			}
			// What is cut by the end of this chunk is found with the next.
			answer.from = Math.max(answer.from, output.length - answer.to.length + 1);
		}
	};
}

/** node-pty knows the device's name and does not say so in its types. */
function devicePath(pty: object): string {
	if ('ptsName' in pty && typeof pty.ptsName === 'string') return pty.ptsName;
	throw new Error('node-pty does not name its terminal device');
}

/**
 * node-pty destroys the terminal 200 ms after its program has ended, read or not, and on a busy machine the program's last
 * words went with it. It waits longer.
 *
 * @returns what destroys it at once.
 */
function readToTheEnd(pty: object): () => void {
	const {_socket: socket} = pty as {_socket: ReadStream};
	const destroy = socket.destroy.bind(socket);
	socket.destroy = error => {
		if (error !== undefined || socket.readableEnded) return destroy(error);
		setTimeout(destroy, 10_000).unref();
		return socket;
	};
	return destroy;
}

/** The program leads a session and a group of its own, so that nothing else is hit. */
function killGroup(pid: number): void {
	for (const target of [-pid, pid]) {
		try {
			process.kill(target, 'SIGKILL');
		} catch {
			// It has ended meanwhile.
		}
	}
}
