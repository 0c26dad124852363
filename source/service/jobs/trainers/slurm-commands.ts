import {execFile} from 'node:child_process';

/** Variables that SLURM's commands read in place of their arguments. */
const ofOtherCommands = /^(SBATCH|SQUEUE|SCANCEL|SACCT|SCONTROL|SINFO|SLURM)_/;
const kept = new Set(['SLURM_CONF', 'SLURM_CLUSTERS', 'SLURM_CONF_SERVER']);

/**
 * The environment of SLURM's commands, which `sbatch` hands on to the job: nothing of this program's own, least of all
 * a key or password of its lake.
 */
export function slurmEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(env).filter(
			([name]) => !/^(LAKESCOPE|CLICKHOUSE)_/.test(name) && (!ofOtherCommands.test(name) || kept.has(name)),
		),
	);
}

/** A command of SLURM's that did not end well. */
export class SlurmError extends Error {
	/** Its output for errors, if it ended by itself; undefined where it was killed or could not be run. */
	readonly printed: string | undefined;

	constructor(sentence: string, printed: string | undefined) {
		super(sentence);
		this.printed = printed;
	}
}

/** SLURM tries a controller that does not answer for this long itself, and longer where another one may take over. */
const boundMs = 60_000;

/** Runs a command of SLURM's. @throws {SlurmError} */
export function slurm(program: string, args: readonly string[]): Promise<string> {
	return new Promise((resolve, reject) => {
		const options = {
			env: slurmEnvironment(),
			cwd: '/',
			timeout: boundMs,
			killSignal: 'SIGKILL',
			maxBuffer: 64 * 1024 * 1024,
		} as const;
		execFile(program, args, options, (error, stdout, stderr) => {
			if (error === null) return resolve(stdout);
			const code: unknown = error.code;
			if (code === 'ENOENT')
				return reject(new SlurmError(`${program} is not on the PATH of the service`, undefined));
			const printed = typeof code === 'number' ? stderr.trim() : undefined;
			// The first line is the cause; those that follow say what became of it.
			const [first = ''] = (printed ?? '').split('\n');
			const words = first
				.replace(/^\w+: (error|fatal): /, '')
				.replace(/\p{Cc}+/gu, ' ')
				.slice(0, 400);
			const sentence =
				printed === undefined ? `did not answer within ${boundMs / 1000} s` : words || `ended with ${code}`;
			reject(new SlurmError(`${program}: ${sentence}`, printed));
		});
	});
}

/** One job as `squeue` shows it. */
export type SlurmRow = {
	readonly id: string;
	/** As PENDING. */
	readonly state: string;
	readonly reason: string | null;
	readonly partition: string;
	/** Seconds, by the controller's clock. */
	readonly left: number | null;
	readonly ran: number;
	readonly node: string | null;
	readonly comment: string;
};

/** Seconds of `1-02:03:04`, `02:03:04` or `3:04`; null for UNLIMITED and the like. */
export function secondsOf(text: string): number | null {
	const found = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)$/.exec(text.trim());
	if (!found) return null;
	const [, days = 0, hours = 0, minutes, seconds] = found;
	return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

const said = (text: string | undefined) => (!text || text === 'None' || text === '(null)' ? null : text);

/** Reads what `squeue` prints for `rowFormat`. */
export function readRows(printed: string): readonly SlurmRow[] {
	return printed.split('\n').flatMap(line => {
		const [id = '', state = '', reason, partition = '', left = '', ran = '', node, ...comment] =
			line.split('|');
		if (comment.length === 0) return [];
		return {
			id: id.trim(),
			state: state.trim(),
			reason: said(reason?.trim()),
			partition: partition.trim(),
			left: secondsOf(left),
			ran: secondsOf(ran) ?? 0,
			node: said(node?.trim()),
			comment: comment.join('|').trim(),
		};
	});
}

const rowFormat = '%i|%T|%r|%P|%L|%M|%N|%k';

/** This user's jobs that `squeue` still knows, those that ended a short while ago included. */
export async function ownJobs(): Promise<readonly SlurmRow[]> {
	const user = String(process.getuid?.() ?? '');
	return readRows(
		await slurm('squeue', ['--noheader', '--states=all', `--user=${user}`, `--format=${rowFormat}`]),
	);
}

/** The jobs that wait for a partition, the next one first. */
export async function waitingJobs(partition: string): Promise<readonly string[]> {
	const printed = await slurm('squeue', [
		...['--noheader', '--states=PENDING', '--sort=-p,i', '--format=%i'],
		`--partition=${partition}`,
	]);
	return printed
		.split('\n')
		.filter(Boolean)
		.map(line => line.trim());
}

/** How SLURM says that a job ended. */
export type SlurmEnd = {readonly state: string; readonly code: number | null; readonly by: string | null};

const fieldOf = (text: string, name: string) => new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(text)?.[1];

const endOf = (state: string, exit: string | undefined, by: string | null): SlurmEnd => {
	const code = Number(exit?.split(':')[0]);
	return {state, code: Number.isInteger(code) ? code : null, by};
};

/** How a job ended: by the controller while that knows it, and by its accounting where there is one. */
export async function endOfJob(id: string): Promise<SlurmEnd | undefined> {
	const shown = await slurm('scontrol', ['show', 'job', '--oneliner', id]).catch(() => '');
	const state = fieldOf(shown, 'JobState');
	if (state !== undefined) return endOf(state, fieldOf(shown, 'ExitCode'), null);
	const args = ['--noheader', '--allocations', '--parsable2', `--jobs=${id}`, '--format=State,ExitCode'];
	const counted = (await slurm('sacct', args).catch(() => '')).trim().split('\n').at(-1) ?? '';
	const [words = '', exit] = counted.split('|');
	const [word = '', , by] = words.split(' ');
	return word === '' ? undefined : endOf(word.replace(/\+$/, ''), exit, by ?? null);
}

/** The id that accounting has for a job's name. */
export async function countedJob(name: string): Promise<string | undefined> {
	const args = [
		'--noheader',
		'--allocations',
		'--parsable2',
		'--starttime=now-60days',
		`--name=${name}`,
		'--format=JobID',
	];
	const printed = await slurm('sacct', args).catch(() => '');
	return printed.trim().split('\n').at(-1) || undefined;
}

/** The answers of `squeue`, asked once for all jobs, and not more often than it does a controller good. */
export class SlurmQueue {
	readonly #everyMs: number;
	#asked: {readonly at: number; readonly rows: Promise<readonly SlurmRow[]>} | undefined;
	readonly #places = new Map<string, {readonly at: number; readonly ids: Promise<readonly string[]>}>();

	constructor(everyMs: number) {
		this.#everyMs = everyMs;
	}

	/**
	 * @param since the answer is at least as new as this, by `performance.now()`
	 * @throws {SlurmError} where the controller does not answer
	 */
	rows(since = 0): Promise<readonly SlurmRow[]> {
		const now = performance.now();
		if (!this.#asked || this.#asked.at < since || now - this.#asked.at > this.#everyMs) {
			this.#asked = {at: now, rows: ownJobs()};
		}
		return this.#asked.rows;
	}

	/** The place of a job among those that wait for its partition, and how many those are. */
	async place({id, partition}: SlurmRow): Promise<{readonly place: number; readonly of: number} | undefined> {
		const now = performance.now();
		let asked = this.#places.get(partition);
		if (!asked || now - asked.at > this.#everyMs) {
			asked = {at: now, ids: waitingJobs(partition)};
			this.#places.set(partition, asked);
		}
		const ids = await asked.ids.catch((): readonly string[] => []);
		const at = ids.indexOf(id);
		return at < 0 ? undefined : {place: at + 1, of: ids.length};
	}
}
