import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, inject, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {isSoak} from '../faults/support/soak.ts';
import {hosted} from '../support/hosted.ts';
import {type PtyProgram, startInPty} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** Makes the program throw, reject or meet a closed reader when it is told to, as a fault inside it would. */
const trap = home.at('trap.mjs');
writeFileSync(
	trap,
	`const acts = {
		throw() { throw new Error('broken by ' + process.env.LAKESCOPE_API_KEY); },
		reject() { void Promise.reject(new Error('rejected with ' + process.env.LAKESCOPE_API_KEY)); },
		epipe() { process.stdout.emit('error', Object.assign(new Error('write EPIPE'), {code: 'EPIPE'})); },
	};
	process.on('SIGUSR2', () => acts[process.env.TRAP]());`,
);

type Life = {
	readonly program: PtyProgram;
	readonly settings: () => readonly string[];
	readonly pid: number;
	readonly key: string;
};

/** The explorer started by a shell that says, before and after it, how the terminal is set. */
async function startFromShell(env: Record<string, string> = {}): Promise<Life> {
	const service = await hosted({episodes: 50});
	const say = 'say() { echo "settings $(stty -g)"; }';
	const script = `${say}; say; "$@" 2>>"$ERRORS" & pid=$!; echo "pid $pid"; fg >/dev/null; code=$?; say; exit $code`;
	const program = startInPty('sh', ['-mc', script, 'sh', process.execPath, inject('cli')], {
		cols: 120,
		rows: 30,
		cwd: home.root,
		env: {
			...home.env,
			LAKESCOPE_URL: service.url,
			LAKESCOPE_API_KEY: service.key,
			NODE_OPTIONS: `--import=${trap}`,
			ERRORS: '/dev/null',
			...env,
		},
	});
	await program.until(isFresh, 'the first episodes');
	const settings = () =>
		[...program.output().matchAll(/settings ([\da-f:]+)/g)].map(([, found = '']) => found);
	const pid = Number(/pid (\d+)/.exec(program.output())?.[1]);
	return {program, settings, pid, key: service.key};
}

/** The bytes that give the screen back: mouse and paste modes, the alternate screen, the cursor last. */
const leave = '\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?2004l\u001b[?1049l\u001b[?25h';

type Way = readonly [
	name: string,
	env: Record<string, string>,
	act: (life: Life) => void,
	code: number,
	words: string,
];

const signals = [
	['SIGTERM', 143],
	['SIGHUP', 129],
	['SIGINT', 130],
	['SIGQUIT', 131],
] as const;

const ways: readonly Way[] = [
	['q', {}, ({program}) => program.press('q'), 0, ''],
	['ctrl+c', {}, ({program}) => program.press('ctrl+c'), 0, ''],
	[
		'a throw',
		{TRAP: 'throw', ERRORS: '/dev/tty'},
		({pid}) => process.kill(pid, 'SIGUSR2'),
		1,
		'lakescope crashed: broken by',
	],
	[
		'a rejection',
		{TRAP: 'reject', ERRORS: '/dev/tty'},
		({pid}) => process.kill(pid, 'SIGUSR2'),
		1,
		'lakescope crashed: rejected with',
	],
	['a closed reader', {TRAP: 'epipe'}, ({pid}) => process.kill(pid, 'SIGUSR2'), 129, ''],
	...signals.map(([signal, code]): Way => [signal, {}, ({pid}) => process.kill(pid, signal), code, '']),
];

/** `npm test` takes these; the session's own tests take the others, on a smaller program. */
const quick = new Set(['q', 'a throw', 'a closed reader', 'SIGTERM']);

describe('every way out leaves the terminal as it was and no process behind', () => {
	test.each(ways.filter(([name]) => isSoak || quick.has(name)))('%s', async (...way) => {
		const [, env, act, code, words] = way;
		const life = await startFromShell(env);
		const {program, settings, pid} = life;
		// Half a page down: in a raw terminal it ends nothing.
		program.press('ctrl+d');
		await program.until(({rows}) => /[2-9]\d* of 50/.test(rows[1] ?? ''), 'half a page further down');
		act(life);
		expect(await program.untilExit()).toEqual({code, signal: undefined});
		const screen = await program.settled();
		expect(screen.isAlternate).toBe(false);
		expect(screen.text).toContain(words);
		const [before, after] = settings();
		expect(after).toBe(before);
		expect(after).toMatch(/^[\da-f]+:/);
		const output = program.output();
		expect(output).toContain(leave);
		// Nothing behind the bytes that give the screen back moves anything or switches anything on.
		expect(output.slice(output.lastIndexOf(leave) + leave.length)).not.toContain('\u001b');
		expect(existsSync(`/proc/${pid}`)).toBe(false);
	});

	test('a terminal that no longer reads', async () => {
		const {program, pid} = await startFromShell();
		program.stopReading();
		// More than the terminal's buffer holds.
		for (let row = 0; row < 40; row++) program.resize(119 + (row % 2), 30);
		process.kill(pid, 'SIGTERM');
		await expect.poll(() => existsSync(`/proc/${pid}`), {timeout: 10_000}).toBe(false);
	});

	test('the terminal gone', async () => {
		const {program, pid} = await startFromShell();
		program.hangUp();
		await expect.poll(() => existsSync(`/proc/${pid}`), {timeout: 10_000}).toBe(false);
	});
});

test('a lake that cannot be opened ends it with the sentence and exit code of every command, on the screen it found', async () => {
	const lake = home.at('broken-lake');
	await mkdir(lake, {recursive: true});
	await writeFile(path.join(lake, 'lake.duckdb'), 'no database');
	const asCommand = await home.run(['episodes', '--lake', lake]);
	const program = explore(home, ['--lake', lake], {cols: 200, rows: 30});
	expect(await program.untilExit()).toEqual({code: asCommand.code, signal: undefined});
	expect(asCommand.code).toBeGreaterThan(0);
	const screen = await program.settled();
	expect(screen.isAlternate).toBe(false);
	expect(screen.text.replaceAll(/\s+/g, ' ')).toContain(asCommand.stderr.trim().replaceAll(/\s+/g, ' '));
});

test('a crash names its log file, and the log holds no key', async () => {
	const {program, pid, key} = await startFromShell({
		TRAP: 'throw',
		ERRORS: '/dev/tty',
		XDG_STATE_HOME: home.at('crash'),
	});
	process.kill(pid, 'SIGUSR2');
	await program.untilExit();
	const screen = await program.settled();
	const log = home.at('crash', 'lakescope', 'lakescope.log');
	expect(screen.text.replaceAll('\n', '')).toContain(`The details are in ${log}`);
	expect(readFileSync(log, 'utf8')).toMatch(/crash\nError: broken by \[secret\]\n {4}at /);
	expect(statSync(log).mode & 0o777).toBe(0o600);
	expect(screen.text).toContain('broken by [secret]');
	expect(program.output() + readFileSync(log, 'utf8')).not.toContain(key);
});

test('nothing is written to stderr that is a file', async () => {
	const errors = home.at('errors.txt');
	const {program} = await startFromShell({ERRORS: errors});
	program.press('q');
	await program.untilExit();
	expect(readFileSync(errors, 'utf8')).toBe('');
});
