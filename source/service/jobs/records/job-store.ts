import type {DatabaseSync} from 'node:sqlite';
import type {OwnListQuery} from '../../../contract/own-lists.ts';
import {pageOf} from '../../operations/list-page.ts';
import {withoutSync} from '../../operations/transaction.ts';
import type {Job} from './job.ts';

const jobOf = (row: {record?: unknown}) => JSON.parse(String(row.record)) as Job;

/** The fields of a job that may change. */
type JobChange = Partial<Omit<Job, 'jobId' | 'projectId' | 'order' | 'createdAt' | 'updatedAt'>>;

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
	notify(job: Job): void {
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

	/** Notes how far a job is: what is lost with the machine's power is read again from its log, or trained again. */
	note(jobId: string, change: Pick<JobChange, 'progress' | 'logRead' | 'isStarting'>): Job {
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

/** The tables of the operations file that hold projects, jobs, the models they made, and what they took in. */
export const jobTables = `
	CREATE TABLE IF NOT EXISTS projects (
		project_id TEXT PRIMARY KEY,
		name TEXT NOT NULL UNIQUE,
		description TEXT,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE TABLE IF NOT EXISTS jobs (
		job_id TEXT PRIMARY KEY,
		project_id TEXT NOT NULL REFERENCES projects,
		name TEXT NOT NULL,
		status TEXT NOT NULL,
		queued_at TEXT NOT NULL,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, queued_at);
	CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created_at, job_id);
	CREATE INDEX IF NOT EXISTS jobs_by_project ON jobs (project_id);
	CREATE TABLE IF NOT EXISTS models (
		artifact_id TEXT PRIMARY KEY,
		job_id TEXT NOT NULL UNIQUE,
		subtype TEXT NOT NULL,
		name TEXT NOT NULL,
		path TEXT NOT NULL,
		metadata TEXT NOT NULL,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS models_by_age ON models (created_at, artifact_id);
	CREATE TABLE IF NOT EXISTS job_links (
		artifact_id TEXT NOT NULL,
		job_id TEXT NOT NULL,
		project_id TEXT,
		direction TEXT NOT NULL,
		PRIMARY KEY (artifact_id, job_id, direction)
	) STRICT;
	CREATE INDEX IF NOT EXISTS job_links_by_job ON job_links (job_id);
`;
