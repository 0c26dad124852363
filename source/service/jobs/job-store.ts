import type {DatabaseSync} from 'node:sqlite';
import type {OwnListQuery} from '../../contract/own-lists.ts';
import {withoutSync} from '../operations/transaction.ts';
import type {Job} from './job.ts';
import {pageOf} from './list-page.ts';

const jobOf = (row: {record?: unknown}) => JSON.parse(String(row.record)) as Job;

/** What of a job may change. */
export type JobChange = Partial<Omit<Job, 'jobId' | 'projectId' | 'order' | 'createdAt' | 'updatedAt'>>;

/** The fine-tunes of a lake. What these functions write is on the disk when they return. */
export class JobStore {
	readonly #database: DatabaseSync;
	readonly #onChange: (job: Job) => void;

	/** @param onChange called with a job after each change of it that is more than progress */
	constructor(database: DatabaseSync, onChange: (job: Job) => void) {
		this.#database = database;
		this.#onChange = onChange;
	}

	/** Writes a new job down; to be told of once that is committed. */
	insert(job: Job): void {
		const {jobId, projectId, name, status, queuedAt, createdAt, updatedAt} = job;
		this.#database
			.prepare(
				`INSERT INTO jobs (job_id, project_id, name, status, queued_at, created_at, updated_at, record)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			)
			.run(jobId, projectId, name, status, queuedAt, createdAt, updatedAt, JSON.stringify(job));
	}

	/** Tells of a job as it is. */
	tell(job: Job): void {
		this.#onChange(job);
	}

	get(jobId: string): Job | undefined {
		const row = this.#database.prepare('SELECT record FROM jobs WHERE job_id = ?').get(jobId.toLowerCase());
		return row && jobOf(row);
	}

	/** @throws when there is no such job */
	require(jobId: string): Job {
		const job = this.get(jobId);
		if (!job) throw new Error(`job ${jobId} is not in the operations file`);
		return job;
	}

	/** The jobs that run, oldest first. */
	running(): Job[] {
		return this.#withStatus('running');
	}

	/** The jobs that wait, the next one first. */
	queued(): Job[] {
		return this.#withStatus('queued');
	}

	list(query: OwnListQuery) {
		const {rows, page_info} = pageOf(this.#database, {from: 'jobs', id: 'job_id'}, query);
		return {jobs: rows.map(jobOf), page_info};
	}

	/** Changes a job, and tells of it. */
	change(jobId: string, change: JobChange): Job {
		const job = this.#write(jobId, change);
		this.#onChange(job);
		return job;
	}

	/** Notes how far a job is: what is lost with the machine's power is read again from its log. */
	note(jobId: string, change: Pick<JobChange, 'progress' | 'logRead'>): Job {
		let job: Job | undefined;
		withoutSync(this.#database, () => {
			job = this.#write(jobId, change);
		});
		return job ?? this.require(jobId);
	}

	#write(jobId: string, change: JobChange): Job {
		const job: Job = {...this.require(jobId), ...change, updatedAt: new Date().toISOString()};
		this.#database
			.prepare(
				'UPDATE jobs SET name = ?, status = ?, queued_at = ?, updated_at = ?, record = ? WHERE job_id = ?',
			)
			.run(job.name, job.status, job.queuedAt, job.updatedAt, JSON.stringify(job), jobId);
		return job;
	}

	#withStatus(status: Job['status']): Job[] {
		return this.#database
			.prepare('SELECT record FROM jobs WHERE status = ? ORDER BY queued_at, rowid')
			.all(status)
			.map(jobOf);
	}
}
