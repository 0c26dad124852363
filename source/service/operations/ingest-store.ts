import {randomUUID} from 'node:crypto';
import type {DatabaseSync, SQLInputValue, SQLOutputValue} from 'node:sqlite';
import type {IngestProblem} from '../../contract/local.ts';
import {readOtherChanges} from '../../contract/sync-status.ts';
import type {SyncPhase} from '../../contract/vocabulary.ts';
import {datasetId} from '../host/identity.ts';
import type {IngestOperation, Published} from './ingest-operation.ts';
import {withoutSync} from './transaction.ts';

type Row = Record<string, SQLOutputValue>;

const textOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : String(value));

function publishedOf(row: Row): Published | null {
	if (row.dataset_version_id == null) return null;
	return {
		dataset_version_id: String(row.dataset_version_id),
		generation: Number(row.generation),
		episode_count: Number(row.episode_count),
		total_frames: Number(row.total_frames),
		changed_episodes: row.changed_episodes == null ? null : Number(row.changed_episodes),
		other_changes: row.other_changes_json == null ? null : readOtherChanges(String(row.other_changes_json)),
	};
}

function operationOf(row: Row): IngestOperation {
	return {
		operationId: String(row.operation_id),
		repoId: String(row.repo_id),
		datasetName: String(row.dataset_name),
		folder: String(row.folder),
		phase: String(row.phase) as SyncPhase,
		message: textOrNull(row.message),
		progressJson: textOrNull(row.progress_json),
		published: publishedOf(row),
		problems: JSON.parse(String(row.problems_json)) as IngestProblem[],
		problemCount: Number(row.problem_count),
		attempts: Number(row.attempts),
		expectedGeneration: row.expected_generation == null ? null : Number(row.expected_generation),
		child: row.child_pid == null ? null : {pid: Number(row.child_pid), started: String(row.child_started)},
		createdAt: String(row.created_at),
		updatedAt: String(row.updated_at),
	};
}

const now = () => new Date().toISOString();

/** How many of an ingest's problems are kept in words; the rest is counted. */
export const keptProblems = 200;

/** All but the words of problems. */
const columns = `operation_id, repo_id, dataset_name, folder, phase, message, progress_json, dataset_version_id,
	generation, episode_count, total_frames, changed_episodes, other_changes_json, problem_count, attempts, expected_generation, child_pid, child_started,
	created_at, updated_at`;

/** How many ended ingests the listing goes back. */
const listed = 500;

/** The ingests of a lake, past and present. What these functions write is on the disk when they return. */
export class IngestStore {
	readonly #database: DatabaseSync;
	readonly #onPhase: (operation: IngestOperation) => void;

	/** @param onPhase told of each ingest that entered a phase, once that is written */
	constructor(database: DatabaseSync, onPhase: (operation: IngestOperation) => void = () => {}) {
		this.#database = database;
		this.#onPhase = onPhase;
	}

	/** Accepts an ingest, in phase `queued`. */
	create(datasetName: string, folder: string, operationId: string = randomUUID()): IngestOperation {
		const at = now();
		this.#run(
			'INSERT INTO ingests (operation_id, repo_id, dataset_name, folder, phase, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
			operationId,
			datasetId(datasetName),
			datasetName,
			folder,
			'queued',
			at,
			at,
		);
		this.#notify(operationId);
		return this.#require(operationId);
	}

	get(operationId: string): IngestOperation | undefined {
		return this.#all('WHERE operation_id = ?', operationId.toLowerCase())[0];
	}

	/** Newest first, their problems only counted: the words of hundreds of ingests are more than an answer holds. */
	list(): IngestOperation[] {
		return this.#database
			.prepare(
				`SELECT ${columns}, '[]' AS problems_json FROM ingests ORDER BY created_at DESC, rowid DESC LIMIT ${listed}`,
			)
			.all()
			.map(operationOf);
	}

	/** Those that have not ended, oldest first. */
	unfinished(): IngestOperation[] {
		return this.#all("WHERE phase NOT IN ('finalized', 'failed') ORDER BY created_at, rowid");
	}

	/** The ingests of this dataset that are queued or run, oldest first. */
	unfinishedOf(datasetName: string): IngestOperation[] {
		return this.unfinished().filter(operation => operation.datasetName === datasetName);
	}

	/** The ingests of a repo, newest first. */
	ofRepo(repoId: string): IngestOperation[] {
		return this.#all('WHERE repo_id = ? ORDER BY created_at DESC, rowid DESC', repoId);
	}

	/** The dataset's folder is being made, before a process can read it. */
	provide(operationId: string): void {
		this.#run(
			`UPDATE ingests SET phase = 'preparing', progress_json = NULL, updated_at = ? WHERE operation_id = ?`,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	/** Takes an ingest up for the first time, or again after an interruption. */
	prepare(operationId: string, child: {pid: number; started: string}): void {
		this.#run(
			`UPDATE ingests SET phase = 'preparing', progress_json = NULL, problems_json = '[]', problem_count = 0,
				attempts = attempts + 1, child_pid = ?, child_started = ?, updated_at = ? WHERE operation_id = ?`,
			child.pid,
			child.started,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	/** Puts an interrupted ingest back in the queue, with this many attempts held against it. */
	requeue(operationId: string, attempts: number): void {
		this.#run(
			`UPDATE ingests SET phase = 'queued', progress_json = NULL, child_pid = NULL, child_started = NULL,
				attempts = ?, updated_at = ? WHERE operation_id = ?`,
			attempts,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	/** Notes how far a preparing ingest has come, and what it found broken so far. */
	progress(
		operationId: string,
		progressJson: string,
		problems: readonly IngestProblem[],
		problemCount: number,
	): void {
		withoutSync(this.#database, () =>
			this.#run(
				`UPDATE ingests SET progress_json = ?, problems_json = ?, problem_count = ?, updated_at = ?
					WHERE operation_id = ? AND phase = 'preparing'`,
				progressJson,
				JSON.stringify(problems),
				problemCount,
				now(),
				operationId,
			),
		);
	}

	/**
	 * The dataset is read; what remains is to make it visible.
	 *
	 * @param generation what the dataset's generation will be: where the lake has it, the publication took place,
	 * even if the service ended before it could say so here
	 */
	publishing(
		operationId: string,
		generation: number,
		problems: readonly IngestProblem[],
		problemCount: number,
	): void {
		this.#run(
			`UPDATE ingests SET phase = 'publishing', progress_json = NULL, child_pid = NULL, child_started = NULL,
				expected_generation = ?, problems_json = ?, problem_count = ?, updated_at = ? WHERE operation_id = ?`,
			generation,
			JSON.stringify(problems),
			problemCount,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	finalize(operationId: string, published: Published): void {
		this.#run(
			`UPDATE ingests SET phase = 'finalized', message = NULL, progress_json = NULL, child_pid = NULL,
				child_started = NULL, dataset_version_id = ?, generation = ?, episode_count = ?, total_frames = ?,
				changed_episodes = ?, other_changes_json = ?, updated_at = ? WHERE operation_id = ?`,
			published.dataset_version_id,
			published.generation,
			published.episode_count,
			published.total_frames,
			published.changed_episodes,
			published.other_changes ? JSON.stringify(published.other_changes) : null,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	/** @param message the public reason: a sentence that names what is broken */
	fail(operationId: string, message: string, problems: readonly IngestProblem[], problemCount: number): void {
		this.#run(
			`UPDATE ingests SET phase = 'failed', message = ?, progress_json = NULL, child_pid = NULL,
				child_started = NULL, problems_json = ?, problem_count = ?, updated_at = ? WHERE operation_id = ?`,
			message,
			JSON.stringify(problems),
			problemCount,
			now(),
			operationId,
		);
		this.#notify(operationId);
	}

	#notify(operationId: string): void {
		const operation = this.get(operationId);
		if (operation) this.#onPhase(operation);
	}

	#run(sql: string, ...values: SQLInputValue[]): void {
		this.#database.prepare(sql).run(...values);
	}

	#all(where: string, ...values: SQLInputValue[]): IngestOperation[] {
		return this.#database
			.prepare(`SELECT * FROM ingests ${where}`)
			.all(...values)
			.map(operationOf);
	}

	#require(operationId: string): IngestOperation {
		const operation = this.get(operationId);
		if (!operation) throw new Error(`operation ${operationId} is not in the operations file`);
		return operation;
	}
}
