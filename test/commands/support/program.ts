import {type ChildProcess, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, inject} from 'vitest';
import {endProcessesOver} from '../../service/support/service-home.ts';

export type Ended = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** A home of a test file's own for the built program: its files, lakes and runtime files all lie below `root`. */
export type ProgramHome = {
	readonly root: string;
	/** What the program's environment is, for those who start it in a terminal. */
	readonly env: Environment;
	/** A path below `root`. */
	at(...names: string[]): string;
	/** Starts the built program, its stdin empty unless it is to be a pipe. */
	start(
		args: readonly string[],
		env?: Environment,
		nodeArgs?: readonly string[],
		stdin?: 'ignore' | 'pipe',
	): ChildProcess;
	/** Runs the built program to its end. */
	run(args: readonly string[], env?: Environment, nodeArgs?: readonly string[]): Promise<Ended>;
};

const xdg = ['CONFIG', 'DATA', 'STATE', 'CACHE'] as const;

/** Nothing of the machine's own configuration, locale or proxies reaches the program. */
function environment(root: string): Environment {
	return {
		PATH: process.env.PATH,
		HOME: root,
		LANG: 'C.UTF-8',
		XDG_RUNTIME_DIR: path.join(root, 'run'),
		HF_LEROBOT_HOME: path.join(root, 'lerobot'),
		LAKESCOPE_SERVICE_GRACE_MS: '300',
		// That of the run: what each home compiles anew is a tenth of a second of each file.
		NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
		...Object.fromEntries(xdg.map(kind => [`XDG_${kind}_HOME`, path.join(root, kind.toLowerCase())])),
	};
}

/** Waits for a program's end and what it wrote. */
export async function ended(child: ChildProcess): Promise<Ended> {
	const exit = new Promise<Pick<Ended, 'code' | 'signal'>>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve({code, signal}));
	});
	const [stdout, stderr, end] = await Promise.all([
		child.stdout ? text(child.stdout) : '',
		child.stderr ? text(child.stderr) : '',
		exit,
	]);
	return {...end, stdout, stderr};
}

/** To be called once a test file, outside of tests. No process over the home outlives the file. */
export function programHome(): ProgramHome {
	const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lakescope-commands-')));
	mkdirSync(path.join(root, 'run'), {mode: 0o700});
	const own = environment(root);
	afterAll(() => {
		endProcessesOver(root);
		rmSync(root, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
	});
	const start: ProgramHome['start'] = (args, env = {}, nodeArgs = [], stdin = 'ignore') =>
		spawn(process.execPath, [...nodeArgs, inject('cli'), ...args], {
			cwd: root,
			env: {...own, ...env} as NodeJS.ProcessEnv,
			stdio: [stdin, 'pipe', 'pipe'],
		});
	return {
		root,
		env: own,
		at: (...names) => path.join(root, ...names),
		start,
		run: (...given) => ended(start(...given)),
	};
}
