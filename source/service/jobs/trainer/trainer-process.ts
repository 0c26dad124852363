import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {readFile, rm} from 'node:fs/promises';
import type {Writable} from 'node:stream';
import {underUmask, withoutSecrets} from '../../process/child-environment.ts';
import type {TrainerRun} from '../job.ts';

/**
 * What runs as the leader of the trainer's session, with the file for its exit code as $0, the seconds it may take as
 * $1 and the trainer's command behind. It
 * - waits for a word on stdin, so that a service that dies before it has written this process down leaves no trainer;
 * - outlives the signals that end the trainer, so that the exit code reaches the disk;
 * - ends the trainer at its hours even while there is no service;
 * - leaves nothing of its group behind, itself included.
 */
const wrapper = `
read -r go || exit 0
trap : INT TERM HUP
seconds=$1
shift
( trap '' INT TERM HUP; sleep "$seconds"; kill -TERM 0; sleep 30; kill -KILL 0 ) </dev/null >/dev/null 2>&1 &
"$@" </dev/null
code=$?
printf '%s\\n' "$code" >"$0.part" && mv "$0.part" "$0"
kill -KILL 0
`;

/** What the kernel knows of a process: its state and when it started, in ticks since the machine did. */
async function processFacts(pid: number): Promise<{state: string; started: string} | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	if (text === undefined) return undefined;
	// The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return {state: fields[0] ?? '', started: fields[19] ?? ''};
}

/** Whether a trainer that was started runs still: a process of its number that started when it did. */
export async function isRunning({pid, started}: TrainerRun): Promise<boolean> {
	const facts = await processFacts(pid);
	return facts !== undefined && facts.started === started && facts.state !== 'Z' && facts.state !== 'X';
}

/** Sends a signal to a trainer's group, if that is the one that was started. */
export async function signalTrainer(run: TrainerRun, signal: NodeJS.Signals): Promise<void> {
	if (!(await isRunning(run))) return;
	try {
		process.kill(-run.pid, signal);
	} catch {
		// It has ended by itself.
	}
}

/** The exit code that a trainer left; undefined for one that was killed with its whole group. */
export async function exitCodeOf(exitFile: string): Promise<number | undefined> {
	const text = await readFile(exitFile, 'utf8').catch(() => '');
	return /^\d{1,3}\n$/.test(text) ? Number(text) : undefined;
}

function environment(): NodeJS.ProcessEnv {
	// Python holds back what it prints into a file, and phases are told by what is printed.
	return {...withoutSecrets(), PYTHONUNBUFFERED: '1'};
}

/**
 * Starts a trainer in a session of its own; it goes on when this process ends.
 *
 * @param onStarted writes the process down; the trainer begins once that has returned
 * @throws the system's error where no process or no log can be had
 */
export async function launchTrainer({
	command,
	folder,
	logFile,
	exitFile,
	seconds,
	onStarted,
}: {
	command: readonly string[];
	folder: string;
	logFile: string;
	exitFile: string;
	seconds: number;
	onStarted: (run: TrainerRun) => void;
}): Promise<TrainerRun> {
	await rm(exitFile, {force: true});
	const log = openSync(logFile, 'a', 0o600);
	let child: ReturnType<typeof spawn>;
	try {
		child = spawn('/bin/sh', ['-c', wrapper, exitFile, seconds.toFixed(1), ...underUmask(command)], {
			cwd: folder,
			detached: true,
			stdio: ['pipe', log, log],
			env: environment(),
		});
	} finally {
		closeSync(log);
	}
	const pid = await new Promise<number>((resolve, reject) => {
		child.once('spawn', () => resolve(child.pid ?? 0));
		child.once('error', reject);
	});
	const stdin = child.stdin as Writable;
	// One that was ended before it heard the word is told of by its end.
	stdin.on('error', () => {});
	const run = {pid, started: (await processFacts(pid))?.started ?? ''};
	try {
		onStarted(run);
		stdin.end('go\n');
	} catch (error) {
		stdin.destroy();
		throw error;
	}
	child.unref();
	return run;
}
