import type {DatabaseSync, SQLInputValue} from 'node:sqlite';
import type {IngestProblem} from '../../contract/local.ts';
import type {AugmentationProgress, CreditLedger} from '../../contract/local-augmentations.ts';
import {inTransaction, withoutSync} from '../operations/transaction.ts';
import {type Augmentation, endPhase, isOver} from './augmentation.ts';

/** The fields of a running job that may change. */
type AugmentationChange = Partial<
	Pick<
		Augmentation,
		'phases' | 'status' | 'attempts' | 'progress' | 'summary' | 'operationId' | 'problems' | 'problemCount'
	>
>;

/** How a job ends. */
type AugmentationEnd =
	| {readonly status: 'completed'; readonly augmentedDatasetId: string}
	| {readonly status: 'failed' | 'cancelled'; readonly message: string};

/** How many the listing goes back. */
const listed = 500;

/** The augmentations of a lake, and their credits. What these functions write is on the disk when they return. */
export class AugmentationStore {
	readonly #database: DatabaseSync;
	readonly #credits: Credits;
	readonly #onPhase: (job: Augmentation) => void;

	/** @param onPhase told of each job whose status or phase changed, once that is written */
	constructor(database: DatabaseSync, onPhase: (job: Augmentation) => void) {
		this.#database = database;
		this.#credits = new Credits(database);
		this.#onPhase = onPhase;
	}

	/** Accepts a job, and reserves its credits. */
	create(job: Augmentation, credits: number): void {
		inTransaction(this.#database, () => {
			this.#database
				.prepare(
					'INSERT INTO augmentations (job_id, dataset_id, name, status, created_at, record) VALUES (?, ?, ?, ?, ?, ?)',
				)
				.run(job.jobId, job.datasetId, job.name, job.status, job.createdAt, JSON.stringify(job));
			this.#credits.reserve(job.jobId, credits);
		});
		this.#onPhase(job);
	}

	get(jobId: string): Augmentation | undefined {
		return this.#all('WHERE job_id = ?', jobId.toLowerCase())[0];
	}

	creditsOf(jobId: string): CreditLedger {
		return this.#credits.of(jobId);
	}

	/** Newest first. */
	list(): Augmentation[] {
		return this.#all(`ORDER BY created_at DESC, rowid DESC LIMIT ${listed}`);
	}

	/** Those that have not ended, oldest first. */
	unfinished(): Augmentation[] {
		return this.#all("WHERE status IN ('queued', 'running') ORDER BY created_at, rowid");
	}

	/** How many of a dataset's were completed. */
	completedOf(datasetId: string): number {
		const row = this.#database
			.prepare("SELECT count(*) AS count FROM augmentations WHERE dataset_id = ? AND status = 'completed'")
			.get(datasetId);
		return Number(row?.count ?? 0);
	}

	/**
	 * Changes a job that has not ended, and tells of it.
	 *
	 * @returns undefined where it has ended, as by being cancelled: nothing is changed then
	 */
	change(jobId: string, change: AugmentationChange): Augmentation | undefined {
		const job = inTransaction(this.#database, () => this.#write(jobId, change));
		if (job) this.#onPhase(job);
		return job;
	}

	/** Notes how far a job is: what is lost with the machine's power is counted again. */
	progress(
		jobId: string,
		progress: AugmentationProgress,
		problems: readonly IngestProblem[],
		problemCount: number,
	): void {
		withoutSync(this.#database, () =>
			inTransaction(this.#database, () => {
				if (this.#write(jobId, {progress, problems, problemCount})) {
					this.#credits.use(jobId, progress.frames);
				}
			}),
		);
	}

	/**
	 * Ends a job and gives back the credits that it did not use.
	 *
	 * @returns undefined where it had ended before
	 */
	end(jobId: string, end: AugmentationEnd): Augmentation | undefined {
		const at = new Date().toISOString();
		const {status} = end;
		const job = inTransaction(this.#database, () => {
			const current = this.get(jobId);
			if (!current || isOver(current)) return undefined;
			const completed = end.status === 'completed';
			const message = completed ? null : end.message;
			const event = {timestamp: at, ...(message !== null && {note: message})};
			this.#credits.finalize(jobId, at);
			return this.#write(jobId, {
				status,
				phases: endPhase(current.phases, completed ? 'completed' : 'failed', event),
				message,
				augmentedDatasetId: completed ? end.augmentedDatasetId : null,
				endedAt: at,
			});
		});
		if (job) this.#onPhase(job);
		return job;
	}

	/** Must run inside a transaction. */
	#write(jobId: string, change: Partial<Augmentation>): Augmentation | undefined {
		const current = this.get(jobId);
		if (!current || isOver(current)) return undefined;
		const job: Augmentation = {...current, ...change, updatedAt: new Date().toISOString()};
		this.#database
			.prepare('UPDATE augmentations SET status = ?, record = ? WHERE job_id = ?')
			.run(job.status, JSON.stringify(job), job.jobId);
		return job;
	}

	#all(where: string, ...values: SQLInputValue[]): Augmentation[] {
		return this.#database
			.prepare(`SELECT record FROM augmentations ${where}`)
			.all(...values)
			.map(row => JSON.parse(String(row.record)) as Augmentation);
	}
}

/** The tables of the operations file that hold augmentations, and what each reserved, used and was given back. */
export const augmentationTables = `
	CREATE TABLE IF NOT EXISTS augmentations (
		job_id TEXT PRIMARY KEY,
		dataset_id TEXT NOT NULL,
		name TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at TEXT NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS augmentations_by_status ON augmentations (status, created_at);
	CREATE INDEX IF NOT EXISTS augmentations_by_dataset ON augmentations (dataset_id, status);
	CREATE TABLE IF NOT EXISTS augmentation_credits (
		job_id TEXT PRIMARY KEY REFERENCES augmentations,
		reserved INTEGER NOT NULL CHECK (reserved >= 0),
		used INTEGER NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND reserved),
		returned INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0 AND used + returned <= reserved),
		finalized_at TEXT
	) STRICT;
`;

/**
 * The credits of augmentations. Each function is one statement and cannot take effect twice: a frame is paid
 * once even if the work restarts, and unused credits go back once, whichever caller first finds the job ended.
 */
class Credits {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	reserve(jobId: string, amount: number): void {
		this.#database
			.prepare('INSERT INTO augmentation_credits (job_id, reserved) VALUES (?, ?)')
			.run(jobId, amount);
	}

	/** @param amount used in all so far; never less than before, never more than was reserved */
	use(jobId: string, amount: number): void {
		this.#database
			.prepare(
				`UPDATE augmentation_credits SET used = max(used, min(reserved, ?))
				WHERE job_id = ? AND finalized_at IS NULL`,
			)
			.run(amount, jobId);
	}

	/** Gives back what was not used; only the first time. */
	finalize(jobId: string, at: string): void {
		this.#database
			.prepare(
				`UPDATE augmentation_credits SET returned = reserved - used, finalized_at = ?
				WHERE job_id = ? AND finalized_at IS NULL`,
			)
			.run(at, jobId);
	}

	of(jobId: string): CreditLedger {
		const row = this.#database
			.prepare('SELECT reserved, used, returned, finalized_at FROM augmentation_credits WHERE job_id = ?')
			.get(jobId);
		return {
			reserved: Number(row?.reserved ?? 0),
			used: Number(row?.used ?? 0),
			returned: Number(row?.returned ?? 0),
			finalized_at: row?.finalized_at == null ? null : String(row.finalized_at),
		};
	}
}
