import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {readdir, readFile, rm, stat} from 'node:fs/promises';
import type {Writable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {jobVariable, underUmask, withoutSecrets} from '../../workers/child-environment.ts';
import {processStat} from '../../workers/process-facts.ts';
import type {TrainerHandle} from '../records/job.ts';

/** A trainer's process, and when it started, which tells it from a later one of its number. */
type ProcessRun = {readonly pid: number; readonly started: string};

type ProcessStart = {
	readonly jobId: string;
	readonly command: readonly string[];
	/** Its working directory. */
	readonly folder: string;
	/** Its output is appended to this file. */
	readonly logFile: string;
	/** Its exit code is written to this file. */
	readonly exitFile: string;
	/** It is ended after this time, even while the service is gone. */
	readonly seconds: number;
	/** Writes the process down; the trainer begins once it has returned. */
	readonly onStarted: (run: TrainerHandle) => void;
};

/** The process that a job's handle stands for. */
export const runOf = ({pid, started}: TrainerHandle): ProcessRun => ({
	pid: Number(pid),
	started: String(started),
});

/**
 * The leader of the trainer's session, with the file for its exit code as $0, the seconds it may take as
 * $1 and the trainer's command behind. It
 * - waits for a word on stdin, so that a service that dies before it has written this process down leaves no trainer;
 * - outlives the signals that end the trainer, so that the exit code reaches the disk;
 * - ends the trainer at its hours even while there is no service;
 * - leaves nothing behind that carries the job's id in its environment, whichever session it is in (torchrun's workers
 *   lead their own), and nothing of its group, itself included.
 */
const wrapper = `
# Ends what carries the job's id: with "all" the group but for this shell too. Fails where nothing was outside the group.
end_job() {
	found=1
	for file in $(grep -lszxF "${jobVariable}=$${jobVariable}" /proc/[0-9]*/environ); do
		pid=\${file#/proc/}
		pid=\${pid%/environ}
		read -r stat 2>/dev/null <"/proc/$pid/stat" || continue
		set -- "$1" "$2" \${stat##*) }
		if [ "$5" != "$$" ]; then found=0
		elif [ "$2" != all ] || [ "$pid" = "$$" ]; then continue
		fi
		kill -"$1" "$pid" 2>/dev/null
	done
	return $found
}
read -r go || exit 0
trap : INT TERM HUP
seconds=$1
shift
( trap '' INT TERM HUP; sleep "$seconds"; end_job TERM outside; kill -TERM 0; sleep 30; end_job KILL outside; kill -KILL 0 ) </dev/null >/dev/null 2>&1 &
"$@" </dev/null
code=$?
printf '%s\\n' "$code" >"$0.part" && mv "$0.part" "$0"
rounds=0
while [ "$rounds" -lt 20 ] && end_job KILL all; do rounds=$((rounds + 1)); done
kill -KILL 0
`;

/** True while a trainer runs: a process of its id that has its start time. */
export async function isRunning({pid, started}: ProcessRun): Promise<boolean> {
	const facts = await processStat(pid);
	return facts !== undefined && facts.started === started && facts.state !== 'Z' && facts.state !== 'X';
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// It has ended by itself, or is another user's.
	}
}

/** Sends a signal to a trainer's group, if that is the one that was started, and to what has left it. */
export async function signalTrainer(run: ProcessRun, jobId: string, signal: NodeJS.Signals): Promise<void> {
	if (!(await isRunning(run))) return;
	const all = await processesOf(jobId);
	send(-run.pid, signal);
	for (const {pid, group} of all) if (group !== run.pid) send(pid, signal);
}

/** This user's processes that carry a job's id in their environment. */
async function processesOf(jobId: string): Promise<readonly {pid: number; group: number}[]> {
	const own = process.getuid?.();
	const mark = `\0${jobVariable}=${jobId}\0`;
	const numbers = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
	const found = await Promise.all(
		numbers
			.map(async name => {
				if (Number(name) === process.pid || (await stat(`/proc/${name}`)).uid !== own) return [];
				const environment = await readFile(`/proc/${name}/environ`, 'latin1');
				if (!`\0${environment}`.includes(mark)) return [];
				const facts = await processStat(Number(name));
				return facts === undefined ? [] : [{pid: Number(name), group: facts.group}];
			})
			.map(each => each.catch(() => [])),
	);
	return found.flat();
}

/** How long what was killed may take to go: one that waits for a device that does not answer stays. */
const dyingMs = 5000;

/**
 * Ends whatever is left of a job, in whichever session it is.
 *
 * @returns the processes that are still there
 */
export async function endProcessesOf(jobId: string, withinMs: number = dyingMs): Promise<readonly number[]> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const left = (await processesOf(jobId)).map(({pid}) => pid);
		if (left.length === 0 || Date.now() > deadline) return left;
		for (const pid of left) send(pid, 'SIGKILL');
		await delay(20);
	}
}

/** The exit code that a trainer left; undefined for one that was killed with its whole group. */
export async function exitCodeOf(exitFile: string): Promise<number | undefined> {
	const text = await readFile(exitFile, 'utf8').catch(() => '');
	return /^\d{1,3}\n$/.test(text) ? Number(text) : undefined;
}

function environment(jobId: string): NodeJS.ProcessEnv {
	// Python holds back what it prints into a file, and phases are told by what is printed.
	return {...withoutSecrets(), PYTHONUNBUFFERED: '1', [jobVariable]: jobId};
}

/**
 * Starts a trainer in a session of its own; it goes on when this process ends.
 *
 * @throws the system's error where no process or no log can be had
 */
export async function launchTrainer({
	jobId,
	command,
	folder,
	logFile,
	exitFile,
	seconds,
	onStarted,
}: ProcessStart): Promise<ProcessRun> {
	await rm(exitFile, {force: true});
	const log = openSync(logFile, 'a', 0o600);
	let child: ReturnType<typeof spawn>;
	try {
		child = spawn('/bin/sh', ['-c', wrapper, exitFile, seconds.toFixed(1), ...underUmask(command)], {
			cwd: folder,
			detached: true,
			stdio: ['pipe', log, log],
			env: environment(jobId),
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
	const run = {pid, started: (await processStat(pid))?.started ?? ''};
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
