import {readdirSync, readFileSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {type ScreenCells, screenCells} from './screen-cells.ts';

/** The effect of a key. */
export type Answer = {
	readonly bytes: number;
	/** From the key to the last byte that it caused; undefined where nothing was written. */
	readonly milliseconds: number | undefined;
	/** Frames: pieces of output between which the terminal was told to wait, or writes where it was not. */
	readonly frames: number;
	readonly before: ScreenCells;
	readonly after: ScreenCells;
	readonly cursor: {readonly x: number; readonly y: number};
};

/** A program in a terminal of 200×50 that is given keys and watched from outside. */
export type DrivenProgram = {
	/** Waits until the screen is so. */
	until(isThere: (screen: string) => boolean): Promise<void>;
	/** Sends a key, and waits until nothing has been written for a while. */
	press(keys: string): Promise<Answer>;
	/** What is written, and how busy the program is, while it is left alone. */
	idle(milliseconds: number): Promise<{bytes: number; cpuPercent: number}>;
	/** Milliseconds of processor time it has used. */
	cpu(): number;
	screen(): string;
	end(): Promise<void>;
};

const cols = 200;
const rows = 50;
const deadlineMs = 60_000;

/** A pause this long ends a key's output; no byte for the longer time means that it had none. */
const quietMs = 80;
const answerMs = 1000;

const frameEnd = '\u001b[?2026l';

export function drive(argv: readonly string[], env: Readonly<Record<string, string>>): DrivenProgram {
	const terminal = new xterm.Terminal({cols, rows, allowProposedApi: true});
	const pty = spawn(process.execPath, [...argv], {
		name: 'xterm-256color',
		cols,
		rows,
		env: {...env},
		encoding: null,
	});
	let isEnded = false;
	const ended = new Promise<void>(resolve =>
		pty.onExit(() => {
			isEnded = true;
			resolve();
		}),
	);
	terminal.onData(answer => {
		if (!isEnded) pty.write(answer);
	});
	const decoder = new TextDecoder();
	const chunks: {at: number; bytes: Uint8Array}[] = [];
	let heard: () => void = () => undefined;
	pty.onData(data => {
		const bytes: string | Uint8Array = data;
		chunks.push({at: performance.now(), bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes});
		// Not as bytes: xterm.js loses a “…” of which a chunk ends after the second byte.
		terminal.write(typeof bytes === 'string' ? bytes : decoder.decode(bytes, {stream: true}));
		heard();
	});

	/** Whether something was written within that time. */
	function hears(milliseconds: number): Promise<boolean> {
		return new Promise(resolve => {
			const timer = setTimeout(() => {
				heard = () => undefined;
				resolve(false);
			}, milliseconds);
			heard = () => {
				clearTimeout(timer);
				resolve(true);
			};
		});
	}

	const shown = () => new Promise<void>(resolve => terminal.write('', resolve));

	function screen(): string {
		const {active} = terminal.buffer;
		return Array.from({length: rows}, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join(
			'\n',
		);
	}

	return {
		screen,
		cpu: () => cpuMs(pty.pid),
		async until(isThere) {
			const deadline = performance.now() + deadlineMs;
			for (;;) {
				await shown();
				if (isThere(screen())) break;
				if (performance.now() > deadline) throw new Error(`not there in time; the screen:\n${screen()}`);
				await hears(500);
			}
			while (await hears(quietMs * 4));
			await shown();
		},
		async press(keys) {
			const before = screenCells(terminal);
			const {cursorX: x, cursorY: y} = terminal.buffer.active;
			const from = chunks.length;
			const pressedAt = performance.now();
			pty.write(keys);
			if (await hears(answerMs)) while (await hears(quietMs));
			await shown();
			const answer = chunks.slice(from);
			const bytes = Buffer.concat(answer.map(chunk => chunk.bytes));
			const last = answer.at(-1);
			return {
				bytes: bytes.length,
				milliseconds: last && last.at - pressedAt,
				frames: bytes.toString('latin1').split(frameEnd).length - 1 || answer.length,
				before,
				after: screenCells(terminal),
				cursor: {x, y},
			};
		},
		async idle(milliseconds) {
			const from = chunks.length;
			const [cpu, at] = [cpuMs(pty.pid), performance.now()];
			await new Promise(resolve => setTimeout(resolve, milliseconds));
			return {
				bytes: chunks.slice(from).reduce((sum, {bytes}) => sum + bytes.length, 0),
				cpuPercent: ((cpuMs(pty.pid) - cpu) / (performance.now() - at)) * 100,
			};
		},
		async end() {
			pty.write('q');
			await ended;
			terminal.dispose();
		},
	};
}

/** Time that all threads of a process have run, as the kernel's scheduler counts it. */
function cpuMs(pid: number): number {
	let sum = 0;
	for (const task of readdirSync(`/proc/${pid}/task`))
		sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
	return sum;
}
