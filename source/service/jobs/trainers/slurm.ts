import {mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {SlurmSettings} from '../../../files/config-schema.ts';
import type {Log} from '../../host/log.ts';
import {systemReason} from '../../host/start-error.ts';
import {resumeArguments, startArguments} from '../lerobot/command-line.ts';
import {readTrainerLine} from '../lerobot/trainer-sign.ts';
import type {Job, Standing} from '../records/job.ts';
import {type Lerobot, releaseOf} from '../vla/releases.ts';
import {
	countedJob,
	endOfJob,
	type SlurmEnd,
	SlurmError,
	type SlurmQueue,
	type SlurmRow,
	slurm,
} from './slurm-commands.ts';
import {batchScript, checkpointMark, isLate, leadOf, minutesOf, unsharedCode} from './slurm-script.ts';
import type {RunTiming, Trainer, TrainerExit, TrainerRun, TrainerStart} from './trainer.ts';
import {exitCodeOf} from './trainer-process.ts';

/** The waits of a trainer. */
export type SlurmTiming = {
	/** How long a folder's files may be on their way after a job has left the queue, in milliseconds. */
	readonly settleMs: number;
	/** How often the same `scancel` is sent at most. */
	readonly cancelMs: number;
	/** How long a node may take to see a new folder, in seconds. */
	readonly sharedWithin: number;
};

/** States that a job of SLURM's does not leave. */
const ended = new Set(
	[
		'BOOT_FAIL',
		'CANCELLED',
		'COMPLETED',
		'DEADLINE',
		'FAILED',
		'NODE_FAIL',
		'OUT_OF_MEMORY',
		'PREEMPTED',
	].concat('REVOKED', 'TIMEOUT'),
);
const waiting = new Set([
	'PENDING',
	'CONFIGURING',
	'REQUEUED',
	'REQUEUE_HOLD',
	'REQUEUE_FED',
	'RESV_DEL_HOLD',
	'SPECIAL_EXIT',
]);

/** The traces of a launch in the folder that its job shares with the nodes. */
type Traces = {
	/** The id in the marker; `none` where this service took the marker itself, so that nothing can begin any more. */
	readonly owner: string | undefined;
	readonly hasMarker: boolean;
	/** The id that `sbatch` printed. */
	readonly given: string | undefined;
	/** The reason why `sbatch` refused it. */
	readonly refused: string | undefined;
	readonly code: number | undefined;
	/** Seconds that it had run when it was asked to end. */
	readonly term: number | undefined;
	readonly minutes: number;
	/** Times that it began: where, and when by the node's clock. */
	readonly runs: readonly {readonly node: string; readonly at: number}[];
};

const ownerNone = 'none';

const textOf = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).trim() || undefined;

/** Refusals that another try would not change. */
const isRefusal = (error: SlurmError) =>
	error.printed !== undefined &&
	!/contact|connect|communicat|timed out|temporarily|socket|try again|unavailable|protocol|zero bytes/i.test(
		error.printed,
	);

const ordinal = (place: number) => {
	const tail = place % 100 > 10 && place % 100 < 14 ? 0 : place % 10;
	return `${place}${['th', 'st', 'nd', 'rd'][tail] ?? 'th'}`;
};

/** A clock is told of where it is wrong by more than this, in seconds. */
const skewBound = 60;

/** Fine-tunes as jobs of a SLURM cluster, by the commands of this machine. */
export class SlurmTrainer implements Trainer {
	readonly kind: string;
	readonly queue: NonNullable<Trainer['queue']>;
	readonly #name: string;
	readonly #settings: SlurmSettings;
	readonly #slurm: SlurmQueue;
	readonly #timing: SlurmTiming;
	readonly #log: Log;
	/** By launch: since when its queue may know it, when it was last cancelled, since when it is gone. */
	readonly #submitted = new Map<string, number>();
	readonly #cancelled = new Map<string, number>();
	readonly #gone = new Map<string, number>();
	#unanswered: {readonly since: Date; readonly reason: string} | undefined;

	constructor(
		name: string,
		settings: SlurmSettings,
		tools: {queue: SlurmQueue; timing: SlurmTiming; log: Log},
	) {
		this.#name = name;
		this.kind = `slurm:${name}`;
		this.#settings = settings;
		this.#slurm = tools.queue;
		this.#timing = tools.timing;
		this.#log = tools.log;
		this.queue = {
			folderOf: jobId => path.join(settings.sharedDir, jobId),
			standing: run => this.#standing(run),
		};
	}

	answersTo(name: string | undefined, region: string | undefined): boolean {
		if (name !== undefined && name !== this.#name) return false;
		return region === undefined || this.#partitions().includes(region);
	}

	#partitions(): readonly string[] {
		return this.#settings.partition?.split(',') ?? [];
	}

	async find() {
		const {sharedDir} = this.#settings;
		const broken = (why: string) =>
			({kind: 'broken', message: `The trainer "${this.#name}" cannot be used: ${why}.`}) as const;
		const problem = await stat(sharedDir).then(
			found => (found.isDirectory() ? undefined : 'it is no folder'),
			systemReason,
		);
		if (problem !== undefined) return broken(`its sharedDir ${sharedDir} cannot be read: ${problem}`);
		try {
			const known = (await slurm('sinfo', ['--noheader', '--format=%R'])).split('\n').filter(Boolean);
			const missing = this.#partitions().filter(each => !known.includes(each));
			if (missing.length > 0) {
				return broken(
					`the cluster has no partition "${missing[0]}". It has ${[...new Set(known)].join(', ')}`,
				);
			}
		} catch (error) {
			// Without a controller a job waits here until there is one; without SLURM there is none to wait for.
			if (!(error instanceof SlurmError) || /PATH/.test(error.message))
				return broken(String((error as Error).message));
		}
		const {partition, command = ['lerobot-train']} = this.#settings;
		const where = partition === undefined ? '' : `, partition ${partition}`;
		return {kind: 'found', command, message: `SLURM by the trainer "${this.#name}"${where}.`} as const;
	}

	async options() {
		return {
			exclude_episodes: null,
			is_asking: false,
			message: `The options of LeRobot on the nodes of "${this.#name}" are not known here.`,
		};
	}

	async lerobot(): Promise<Lerobot | undefined> {
		const {lerobot: version} = this.#settings;
		return version === undefined
			? undefined
			: {version, release: releaseOf(version), configurations: undefined};
	}

	async commandFor(...[job, output, checkpoint]: Parameters<Trainer['commandFor']>) {
		const given = checkpoint
			? resumeArguments(job, output, checkpoint)
			: startArguments(job, output, await this.lerobot());
		return [...(job.trainer ?? []), ...given.map(argument => this.#onNode(argument))];
	}

	/** An argument with its path as the nodes have it. */
	#onNode(argument: string): string {
		const cut = argument.startsWith('--') ? argument.indexOf('=') + 1 : 0;
		const value = argument.slice(cut);
		const prefixes = Object.entries(this.#settings.paths ?? {}).sort(([a], [b]) => b.length - a.length);
		for (const [here, there] of prefixes) {
			const plain = here.replace(/\/+$/, '');
			if (value !== plain && !value.startsWith(`${plain}/`)) continue;
			return argument.slice(0, cut) + there.replace(/\/+$/, '') + value.slice(plain.length);
		}
		return argument;
	}

	async start({job, folder, launch, seconds, onStarted}: TrainerStart): Promise<void> {
		const minutes = minutesOf(seconds);
		const file = (name: string) => path.join(folder.folder, `${name}-${launch}`);
		const newest = {step: 0, folder: checkpointMark};
		const script = batchScript({
			folder: this.#onNode(folder.folder),
			output: this.#onNode(folder.output),
			marker: this.#onNode(markerOf(folder, launch)),
			log: this.#onNode(folder.log),
			exitFile: this.#onNode(folder.exitFile(launch)),
			dataset: this.#onNode(job.datasetFolder),
			prologue: this.#settings.prologue ?? [],
			fresh: await this.commandFor(job, folder.output, null),
			resume: await this.commandFor(job, folder.output, newest),
			sharedWithin: this.#timing.sharedWithin,
		});
		await writeFile(`${file('launch')}.sh`, script, {mode: 0o700});
		await writeFile(file('minutes'), `${minutes}\n`, {mode: 0o600});
		// The intent is written down first: what becomes of a submission that is cut off is then found out, never repeated.
		onStarted({launch});
		try {
			const printed = await slurm('sbatch', [
				...this.#submission(job, launch, minutes),
				`${file('launch')}.sh`,
			]);
			const id = printed.trim().split(';')[0] ?? '';
			await writeFile(file('slurm'), `${id}\n`, {mode: 0o600});
		} catch (error) {
			if (!(error instanceof SlurmError)) throw error;
			this.#log(`job ${job.jobId}: ${error.message}`);
			if (isRefusal(error)) await writeFile(file('refused'), `${error.message}\n`, {mode: 0o600});
		} finally {
			this.#submitted.set(keyOf({folder, launch}), performance.now());
		}
	}

	#submission({jobId, order}: Job, launch: number, minutes: number): readonly string[] {
		const {account, gres, qos, constraint, memory, cpus} = this.#settings;
		const partition = order.region?.trim() || this.#settings.partition;
		const given = {partition, account, gres, qos, constraint, mem: memory, 'cpus-per-task': cpus};
		return [
			'--parsable',
			`--comment=${commentOf(jobId, launch)}`,
			`--job-name=${commentOf(jobId, launch)}`,
			`--time=${minutes}`,
			`--signal=B:TERM@${leadOf(minutes)}`,
			'--requeue',
			'--nodes=1',
			'--ntasks=1',
			'--chdir=/',
			// Where that cannot be opened the job would fail without a word: the script opens the log itself.
			'--output=/dev/null',
			'--error=/dev/null',
			...Object.entries(given).flatMap(([name, value]) =>
				value === undefined ? [] : [`--${name}=${value}`],
			),
		];
	}

	/** Reads the traces of a launch. */
	async #traces({folder, launch}: TrainerRun): Promise<Traces> {
		const marker = markerOf(folder, launch);
		const file = (name: string) => textOf(path.join(folder.folder, `${name}-${launch}`));
		const [owner, hasMarker, given, refused, minutes, term, runs, code] = await Promise.all([
			textOf(path.join(marker, 'slurm-id')),
			stat(marker).then(
				() => true,
				() => false,
			),
			file('slurm'),
			file('refused'),
			file('minutes'),
			textOf(path.join(marker, 'term')),
			textOf(path.join(marker, 'runs')),
			exitCodeOf(folder.exitFile(launch)),
		]);
		return {
			...{owner, hasMarker, given, refused, code},
			term: term === undefined ? undefined : Number(term),
			minutes: Number(minutes ?? 1),
			runs: (runs ?? '').split('\n').flatMap(line => {
				const [, at = '', node] = line.split(' ');
				return node === undefined ? [] : [{node, at: Number(at)}];
			}),
		};
	}

	/** The queue's rows; undefined where the controller does not answer. */
	async #rows(run: Pick<TrainerRun, 'folder' | 'launch'>): Promise<readonly SlurmRow[] | undefined> {
		try {
			const rows = await this.#slurm.rows(this.#submitted.get(keyOf(run)));
			this.#unanswered = undefined;
			return rows;
		} catch (error) {
			if (!this.#unanswered) this.#log(`trainer "${this.#name}": ${(error as Error).message}`);
			this.#unanswered ??= {since: new Date(), reason: (error as Error).message};
			return undefined;
		}
	}

	async #rowOf(run: TrainerRun, {given, owner}: Traces, rows: readonly SlurmRow[]) {
		const comment = commentOf(run.folder.jobId, run.launch);
		const id = owner ?? given;
		const found = rows.find(each => (id === undefined ? each.comment === comment : each.id === id));
		// A copy that was submitted and given up ends at its marker; it need not wait for that.
		for (const row of rows) {
			if (row === found || !row.comment.startsWith(commentOf(run.folder.jobId, ''))) continue;
			if (waiting.has(row.state)) await this.#cancel(row.id, 'SIGTERM');
		}
		return found;
	}

	async isRunning(run: TrainerRun): Promise<boolean> {
		const traces = await this.#traces(run);
		if (traces.refused !== undefined || traces.owner === ownerNone) return false;
		// One that was asked to end may be begun again by SLURM: its exit counts only once the queue says so.
		if (traces.code !== undefined && traces.term === undefined) return false;
		const rows = await this.#rows(run);
		if (rows === undefined) return true;
		const row = await this.#rowOf(run, traces, rows);
		if (row) return !ended.has(row.state);
		if (traces.hasMarker || traces.given !== undefined) return false;
		const counted = await countedJob(commentOf(run.folder.jobId, run.launch));
		if (counted !== undefined) {
			await writeFile(path.join(run.folder.folder, `slurm-${run.launch}`), `${counted}\n`, {mode: 0o600});
			return true;
		}
		return !(await this.#take(run));
	}

	/**
	 * Takes the marker of a launch that no queue knows, so that it cannot begin any more, however late it comes.
	 *
	 * @returns false where it has begun meanwhile
	 */
	async #take({folder, launch}: TrainerRun): Promise<boolean> {
		const marker = markerOf(folder, launch);
		try {
			await mkdir(marker, {mode: 0o700});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
			throw error;
		}
		await writeFile(path.join(marker, 'slurm-id'), `${ownerNone}\n`, {mode: 0o600});
		return true;
	}

	async #standing(run: TrainerRun): Promise<(Standing & {timing: RunTiming | null}) | undefined> {
		const traces = await this.#traces(run);
		const restarts = Math.max(0, traces.runs.length - 1);
		const id = traces.owner ?? traces.given ?? null;
		const base = {reason: null, place: null, of: null, node: null, id, restarts, timing: null};
		const rows = await this.#rows(run);
		if (rows === undefined && this.#unanswered) {
			const {since, reason} = this.#unanswered;
			const what = traces.hasMarker ? 'the training goes on' : 'the job waits for it';
			const words = `SLURM has not answered since ${since.toISOString().slice(0, 16)}Z (${reason}); ${what}.`;
			return {...base, state: 'UNKNOWN', waits: !traces.hasMarker, words};
		}
		const row = rows && (await this.#rowOf(run, traces, rows));
		if (!row || ended.has(row.state)) return undefined;
		const {state, reason, node} = row;
		const found = {...base, state, node, id: row.id, waits: waiting.has(state)};
		const name = `SLURM job ${row.id} of "${this.#name}"`;
		const again = restarts === 0 ? '' : `, begun again ${restarts === 1 ? 'once' : `${restarts} times`}`;
		if (!found.waits) {
			const timing = state === 'RUNNING' ? {ran: row.ran, left: row.left} : null;
			const on = node === null ? '' : ` on ${node}`;
			return {...found, timing, words: `${name}: ${state}${on}${again}.${skewOf(traces, row)}`};
		}
		const placed = await this.#slurm.place(row);
		const where = placed ? `, ${ordinal(placed.place)} of ${placed.of} in the queue of ${row.partition}` : '';
		const back = traces.runs.length === 0 ? '' : ' again: it was requeued';
		const words = `${name}: ${state}${reason === null ? '' : ` (${reason})`}${where}${back}.`;
		return {...found, reason, place: placed?.place ?? null, of: placed?.of ?? null, words};
	}

	async #cancel(id: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const key = `${id} ${signal}`;
		const now = performance.now();
		if (now - (this.#cancelled.get(key) ?? Number.NEGATIVE_INFINITY) < this.#timing.cancelMs) return;
		this.#cancelled.set(key, now);
		try {
			if (signal === 'SIGKILL') await slurm('scancel', ['--full', '--signal=KILL', id]);
			await slurm('scancel', [id]);
		} catch (error) {
			// It is sent again: until then the job is not over.
			this.#log(`job of SLURM ${id}: ${(error as Error).message}`);
			if (signal === 'SIGTERM') this.#cancelled.delete(key);
		}
	}

	async signal(run: TrainerRun, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const traces = await this.#traces(run);
		const rows = (await this.#rows(run)) ?? [];
		const id = (await this.#rowOf(run, traces, rows))?.id ?? traces.owner ?? traces.given;
		if (id !== undefined && id !== ownerNone) await this.#cancel(id, signal);
	}

	async exit(run: TrainerRun): Promise<TrainerExit> {
		const traces = await this.#traces(run);
		const {refused, owner, given, code, term, minutes} = traces;
		if (refused !== undefined) {
			return {
				kind: 'lost',
				isHopeless: true,
				reason: `The trainer "${this.#name}" refuses the job: ${refused}`,
			};
		}
		if (owner === ownerNone) return {kind: 'never'};
		const id = owner ?? given;
		const told =
			id === undefined || (code !== undefined && term === undefined) ? undefined : await endOfJob(id);
		const said = told && this.#told(told, id);
		if (said) return said;
		if (term !== undefined && isLate(term, minutes)) return {kind: 'hours'};
		if (term !== undefined && (told === undefined || told.state === 'CANCELLED') && code !== 0) {
			const reason = `SLURM ended its job ${id} after ${term} s, and does not tell any more why`;
			return {kind: 'cancelled', reason};
		}
		if (code !== undefined) return {kind: 'code', code};
		// Its files may still be on its way over the network.
		const key = keyOf(run);
		const since = this.#gone.get(key) ?? performance.now();
		this.#gone.set(key, since);
		if (performance.now() - since < this.#timing.settleMs) return {kind: 'pending'};
		if (traces.hasMarker) return {kind: 'killed'};
		return {kind: 'lost', isHopeless: true, reason: this.#unshared(id, told?.state)};
	}

	#unshared(id: string | undefined, state = 'gone from the queue'): string {
		const {sharedDir} = this.#settings;
		const there = this.#onNode(sharedDir);
		const as = there === sharedDir ? '' : `, there ${there},`;
		return `SLURM job ${id} (${state}) left nothing in its folder: the sharedDir ${sharedDir}${as} is not shared with the node, or cannot be written there`;
	}

	/** How a training ended by SLURM's word; undefined where the trainer's own exit tells more. */
	#told({state, code, by}: SlurmEnd, id: string | undefined): TrainerExit | undefined {
		const name = `SLURM job ${id}`;
		switch (state) {
			case 'TIMEOUT':
			case 'DEADLINE':
				return {kind: 'hours'};
			case 'OUT_OF_MEMORY': {
				const reason = `${name} was ended as OUT_OF_MEMORY. Give the trainer "${this.#name}" more memory, or the training a smaller batch_size`;
				return {kind: 'lost', isHopeless: true, reason};
			}
			case 'CANCELLED':
				return {kind: 'cancelled', reason: `${name} is CANCELLED${by === null ? '' : ` by user ${by}`}`};
			case 'PREEMPTED':
			case 'NODE_FAIL':
			case 'BOOT_FAIL':
				return {kind: 'lost', isHopeless: false, reason: `${name} ended as ${state}`};
			default:
				return code === unsharedCode
					? {kind: 'lost', isHopeless: true, reason: this.#unshared(id, state)}
					: undefined;
		}
	}

	// The script writes into the file itself.
	async logs(): Promise<void> {}

	signOf = readTrainerLine;

	async endAll({jobId}: TrainerRun['folder']): Promise<string | undefined> {
		const rows = await this.#slurm.rows(performance.now()).catch(() => []);
		const left = rows.filter(
			({comment, state}) => comment.startsWith(commentOf(jobId, '')) && !ended.has(state),
		);
		for (const {id} of left) await this.#cancel(id, 'SIGTERM');
		const still = left.filter(({state}) => !waiting.has(state));
		if (still.length === 0) return undefined;
		const which = still.map(({id, state, node}) => `${id} (${state}${node ? ` on ${node}` : ''})`).join(', ');
		return `SLURM has not ended ${which} yet. Look with: squeue --jobs=${still.map(({id}) => id).join(',')}`;
	}

	processOf(): null {
		return null;
	}
}

const keyOf = ({folder, launch}: Pick<TrainerRun, 'folder' | 'launch'>) => `${folder.jobId} ${launch}`;

/** By this a job is known in the queue. */
const commentOf = (jobId: string, launch: number | '') => `lakescope-${jobId}-${launch}`;

/** The folder that the script makes first. */
const markerOf = ({folder, jobId}: TrainerRun['folder'], launch: number) =>
	path.join(folder, `${jobId}-${launch}`);

/** A sentence about a node whose clock is another than this machine's. */
function skewOf({runs}: Traces, {ran, state}: SlurmRow): string {
	const last = runs.at(-1);
	if (!last || state !== 'RUNNING') return '';
	const skew = Math.round(last.at - (Date.now() / 1000 - ran));
	if (Math.abs(skew) < skewBound) return '';
	const minutes = Math.round(Math.abs(skew) / 60);
	return ` The clock of ${last.node} is ${minutes} min ${skew > 0 ? 'ahead of' : 'behind'} this machine's.`;
}
