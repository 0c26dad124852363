import {readFile} from 'node:fs/promises';
import {performance} from 'node:perf_hooks';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';

export type Timing = {
	/** From the start of the process to the frame. */
	readonly milliseconds: number;
	/** Resident memory a moment after the frame. */
	readonly mebibytes: number;
};

const cols = 120;
const rows = 40;
const deadlineMs = 60_000;

/** How long a program may do what follows its first frame before its memory is read. */
const restMs = 700;

/** Starts a program in a terminal, takes the time until its screen is so, and ends it with q. */
export async function timeToFrame(
	argv: readonly string[],
	env: Readonly<Record<string, string>>,
	isThere: (screen: string) => boolean,
): Promise<Timing> {
	const terminal = new xterm.Terminal({cols, rows, allowProposedApi: true});
	const started = performance.now();
	const pty = spawn(process.execPath, [...argv], {name: 'xterm-256color', cols, rows, env: {...env}});
	const ended = new Promise<void>(resolve => pty.onExit(() => resolve()));
	terminal.onData(answer => pty.write(answer));
	const milliseconds = await new Promise<number>((resolve, reject) => {
		const timer = setTimeout(() => {
			pty.kill('SIGKILL');
			reject(new Error(`no usable frame within ${deadlineMs / 1000} s; the screen:\n${textOf(terminal)}`));
		}, deadlineMs);
		pty.onData(data => {
			const at = performance.now();
			terminal.write(data, () => {
				if (!isThere(textOf(terminal))) return;
				clearTimeout(timer);
				resolve(at - started);
			});
		});
	});
	await new Promise(resolve => setTimeout(resolve, restMs));
	const mebibytes = await residentMebibytes(pty.pid);
	pty.write('q');
	await ended;
	terminal.dispose();
	return {milliseconds, mebibytes};
}

function textOf(terminal: InstanceType<typeof xterm.Terminal>): string {
	const {active} = terminal.buffer;
	return Array.from({length: rows}, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join(
		'\n',
	);
}

async function residentMebibytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
