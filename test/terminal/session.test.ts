import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type PtyOptions, type PtyProgram, startInPty} from '../support/pty.ts';

const fixture = path.join(import.meta.dirname, 'fixtures', 'app.ts');

/** The fixture and its crash log's place. */
function fixtureCommand(...args: readonly string[]): {argv: readonly [string, ...string[]]; log: string} {
	const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-session-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	const log = path.join(folder, 'state', 'crash.log');
	return {argv: [process.execPath, fixture, log, ...args], log};
}

function start(options: PtyOptions = {}, ...args: readonly string[]): PtyProgram & {log: string} {
	const {argv, log} = fixtureCommand(...args);
	const [program, ...rest] = argv;
	const env = {NODE_ENV: 'production', ...options.env};
	return {...startInPty(program, rest, {cols: 40, rows: 8, ...options, env}), log};
}

/** Runs the fixture from a shell that says, before and after it, how the terminal is set. */
function startFromShell(): PtyProgram & {settings(): readonly string[]} {
	const {argv} = fixtureCommand();
	const script = 'say() { echo "settings $(stty -g)"; }; say; "$@"; code=$?; say; exit $code';
	const program = startInPty('sh', ['-c', script, 'sh', ...argv], {
		cols: 40,
		rows: 8,
		env: {NODE_ENV: 'production'},
	});
	return {
		...program,
		settings: () =>
			[...program.output().matchAll(/settings ([\da-f:]+)/g)].map(([, settings = '']) => settings),
	};
}

/** The process that a shell has started. */
function childOf(pid: number): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').at(-1));
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

const leave = '\u001b[?2004l\u001b[?1049l\u001b[?25h';

test('it takes the alternate screen, shows keys, and gives everything back at the end', async () => {
	const program = start();
	await program.until(screen => screen.isAlternate && screen.row('ready 40x8'), 'the first frame');
	program.press('j', 'up', 'ctrl+d', 'shift+tab');
	await program.untilText('got shift+tab');
	expect(program.screen().rows.slice(0, 5)).toEqual([
		'ready 40x8',
		'got j',
		'got up',
		'got ctrl+d',
		'got shift+tab',
	]);
	expect(program.screen().look('got j').bold).toBe(true);
	program.press('q');
	expect(await program.untilExit()).toEqual({code: 0, signal: undefined});
	const after = await program.settled();
	expect(program.output()).toContain(`${leave}ended by quit`);
	expect(after).toMatchObject({isAlternate: false});
	expect(after.rows[0]).toBe('ended by quit');
});

test('a burst, a paste, a split arrow and a late reply arrive as what they are', async () => {
	const program = start();
	await program.untilText('ready');
	program.type('ab\rc');
	await program.untilText('got c');
	program.paste('q\nq');
	await program.untilText('got paste "q\\nq"');
	program.send('\u001b');
	program.send('[B');
	await program.untilText('got down');
	program.send('\u001b[?62c');
	program.press('z');
	const screen = await program.untilText('got z');
	expect(screen.rows.at(-1)).toBe('got z');
	expect(screen.text).not.toMatch(/got (\[|\?|reply)/);
});

test('what is typed before the program listens is not lost', async () => {
	const program = start();
	program.type('jk');
	await program.untilText('got k');
	expect(program.screen().rows.slice(0, 3)).toEqual(['ready 40x8', 'got j', 'got k']);
});

test('after a resize nothing of the old picture is left', async () => {
	const program = start();
	await program.untilText('ready 40x8');
	program.press('j');
	await program.untilText('got j');
	program.resize(25, 5);
	await program.until(
		screen => screen.rows[0] === 'ready 25x5' && screen.rows[1] === 'got j',
		'the smaller frame',
	);
	program.resize(60, 12);
	const screen = await program.untilText('ready 60x12');
	await program.until(({rows}) => rows[1] === 'got j', 'the rest of the frame');
	expect(screen.isAlternate).toBe(true);
	expect(program.screen().rows.filter(row => row !== '')).toEqual(['ready 60x12', 'got j']);
});

test('ctrl+l draws over what something else wrote on the screen', async () => {
	const program = start();
	await program.untilText('ready');
	writeFileSync(program.device, '\u001b[3;1Hgarbage from elsewhere');
	await program.untilText('garbage');
	program.press('ctrl+l');
	await program.until(
		screen => !screen.text.includes('garbage') && screen.rows[0] === 'ready 40x8',
		'a clean screen',
	);
});

test('stray words go to the log and not into the picture', async () => {
	const program = start();
	await program.untilText('ready');
	program.press('l', 'w', 'j');
	await program.untilText('got j');
	program.press('q');
	await program.untilExit();
	expect(program.output()).not.toContain('stray');
	expect(readFileSync(program.log, 'utf8')).toMatch(/a stray word[\s\S]*a stray warning/);
});

describe('every way to end restores the terminal', () => {
	test.each([
		['ctrl+c', (program: PtyProgram) => program.press('ctrl+c'), 0, 'ended by quit'],
		[
			'SIGTERM',
			(program: PtyProgram) => process.kill(childOf(program.pid), 'SIGTERM'),
			143,
			'ended by signal',
		],
		['SIGINT', (program: PtyProgram) => process.kill(childOf(program.pid), 'SIGINT'), 130, 'ended by signal'],
		['SIGHUP', (program: PtyProgram) => process.kill(childOf(program.pid), 'SIGHUP'), 129, 'ended by signal'],
		[
			'SIGQUIT',
			(program: PtyProgram) => process.kill(childOf(program.pid), 'SIGQUIT'),
			131,
			'ended by signal',
		],
		['a throw', (program: PtyProgram) => program.press('x'), 1, 'fixture crashed: broken by [secret]'],
		['a rejection', (program: PtyProgram) => program.press('r'), 1, 'fixture crashed: rejected'],
		[
			'a broken component',
			(program: PtyProgram) => program.press('e'),
			1,
			'fixture crashed: broken while rendering',
		],
		["another's exit", (program: PtyProgram) => program.press('p'), 7, ''],
	])('%s', async (_way, act, code, words) => {
		const program = startFromShell();
		await program.untilText('ready');
		act(program);
		expect(await program.untilExit()).toEqual({code, signal: undefined});
		const screen = await program.settled();
		expect(program.output()).toContain(leave);
		expect(screen.isAlternate).toBe(false);
		expect(screen.text).toContain(words);
		const [before, after] = program.settings();
		expect(after).toBe(before);
		expect(after).toMatch(/^[\da-f]+:/);
	});

	test('a hang-up leaves no process behind', async () => {
		const program = start();
		await program.untilText('ready');
		program.hangUp();
		await expect.poll(() => isAlive(program.pid), {timeout: 5000}).toBe(false);
	});

	test('cleaning up that never ends is waited for no longer than three seconds, and that is said', async () => {
		const program = start({}, 'never-finish');
		await program.untilText('ready');
		program.press('q');
		expect(await program.untilExit()).toEqual({code: 0, signal: undefined});
		expect((await program.settled()).text).toContain('fixture ended before all was saved');
	});
});

test('a crash names its log, which only its owner reads and which holds no key', async () => {
	const program = start({cols: 120});
	await program.untilText('ready');
	program.press('x');
	await program.untilExit();
	expect((await program.settled()).text).toContain('The details are in ');
	expect(readFileSync(program.log, 'utf8')).toMatch(/crash\nError: broken by \[secret\]\n {4}at /);
	expect(statSync(program.log).mode & 0o777).toBe(0o600);
});

describe('job control', () => {
	/** An interactive shell, the fixture started from it by hand. */
	async function startFromPrompt(): Promise<PtyProgram> {
		const {argv} = fixtureCommand();
		const program = startInPty('sh', ['-i'], {
			cols: 200,
			rows: 8,
			env: {NODE_ENV: 'production', PS1: 'prompt> ', ENV: undefined},
		});
		await program.untilText('prompt>');
		program.type(`${argv.join(' ')}\r`);
		await program.until(screen => screen.isAlternate && screen.row('ready'), 'the first frame');
		return program;
	}

	/** Only then has the shell its terminal back: what is typed earlier may still meet raw mode. */
	async function untilPrompt(program: PtyProgram): Promise<void> {
		await program.until(
			screen => !screen.isAlternate && screen.text.trimEnd().endsWith('prompt>'),
			'the prompt of the shell',
		);
	}

	test('ctrl+z gives the shell its terminal, fg draws everything anew', async () => {
		const program = await startFromPrompt();
		program.press('j');
		await program.untilText('got j');
		program.press('ctrl+z');
		await untilPrompt(program);
		program.type('echo in the $((40 + 2)) shell; stty -a | grep -o " -\\?icanon"\r');
		await program.until(
			({text}) => /in the 42 shell\n icanon/.test(text),
			'a shell in a terminal set as usual',
		);
		program.type('fg\r');
		const screen = await program.until(
			({isAlternate, text}) => isAlternate && text.includes('got j'),
			'the frame',
		);
		expect(screen.rows.filter(row => row !== '')).toEqual(['ready 200x8', 'got j']);
		program.press('k');
		await program.untilText('got k');
	});

	test('a size that changed while it was stopped is there at once', async () => {
		const program = await startFromPrompt();
		program.press('ctrl+z');
		await untilPrompt(program);
		program.resize(60, 10);
		program.type('fg\r');
		await program.until(({isAlternate, rows}) => isAlternate && rows[0] === 'ready 60x10', 'the frame');
	});

	test('kill -TSTP and -CONT do the same, and kill -STOP is recovered from', async () => {
		const program = await startFromPrompt();
		const pid = childOf(program.pid);
		process.kill(pid, 'SIGTSTP');
		await untilPrompt(program);
		program.type('fg\r');
		// Stopped inside a frame, the terminal would wait for the rest of it.
		await program.until(({isAlternate, rows}) => isAlternate && rows[0] === 'ready 200x8', 'the frame');
		process.kill(pid, 'SIGSTOP');
		await program.untilText('prompt>');
		// This shell leaves the terminal as it finds it: raw, where Return is no line end.
		program.type('fg\n');
		await program.until(({isAlternate, rows}) => isAlternate && rows[0] === 'ready 200x8', 'the frame');
		program.press('z');
		await program.untilText('got z');
	});

	test('where there is no shell to come back to, ctrl+z draws everything anew', async () => {
		const program = start();
		await program.untilText('ready');
		program.press('ctrl+z');
		await program.until(() => program.output().includes(leave), 'the screen to be left');
		await program.until(screen => screen.isAlternate && screen.row('ready'), 'the frame');
		program.press('j');
		await program.untilText('got j');
	});
});
