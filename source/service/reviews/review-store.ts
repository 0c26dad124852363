import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {ReviewMark} from '../../contract/local-reviews.ts';
import type {Mark} from '../lake/engine.ts';
import {inTransaction} from '../operations/transaction.ts';

/**
 * People's decisions. A decision is about a recording, so it is kept by its dataset's name and its content: it outlives
 * re-ingests and removals, follows the recording to another index, and is not that of another one in its place.
 */
export const reviewTables = `
	CREATE TABLE IF NOT EXISTS reviews (
		dataset_name TEXT NOT NULL,
		revision TEXT NOT NULL,
		episode_index INTEGER NOT NULL,
		review_state TEXT NOT NULL,
		decided_at TEXT NOT NULL,
		PRIMARY KEY (dataset_name, revision)
	) STRICT;
	CREATE INDEX IF NOT EXISTS reviews_by_age ON reviews (decided_at);
`;

/** How many the listing goes back. */
const listed = 10_000;

function markOf(row: Record<string, SQLOutputValue>): ReviewMark {
	return {
		dataset_name: String(row.dataset_name),
		episode_revision_id: String(row.revision),
		episode_index: Number(row.episode_index),
		review_state: String(row.review_state),
		decided_at: String(row.decided_at),
	};
}

/** The decisions of a lake. What these functions write is on the disk when they return. */
export class ReviewStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Keeps decisions, each in the place of an earlier one; `unreviewed` is none. */
	set(marks: readonly Mark[]): void {
		const decidedAt = new Date().toISOString();
		const remove = this.#database.prepare('DELETE FROM reviews WHERE dataset_name = ? AND revision = ?');
		const insert = this.#database.prepare('INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)');
		inTransaction(this.#database, () => {
			for (const {datasetName, revision, episodeIndex, state} of marks) {
				if (state === 'unreviewed') remove.run(datasetName, revision);
				else insert.run(datasetName, revision, episodeIndex, state, decidedAt);
			}
		});
	}

	/** Those about a dataset's recordings; all without a name. */
	marks(datasetName?: string): Mark[] {
		return this.#rows(datasetName, '').map(row => ({
			datasetName: String(row.dataset_name),
			revision: String(row.revision),
			episodeIndex: Number(row.episode_index),
			state: String(row.review_state),
		}));
	}

	/** The latest, newest first, and how many there are. */
	list(datasetName?: string): {items: ReviewMark[]; total_count: number} {
		const where = datasetName === undefined ? '' : 'WHERE dataset_name = ?';
		const named = datasetName === undefined ? [] : [datasetName];
		const counted = this.#database.prepare(`SELECT count(*) AS count FROM reviews ${where}`).get(...named);
		const order = `ORDER BY decided_at DESC, dataset_name, episode_index LIMIT ${listed}`;
		return {items: this.#rows(datasetName, order).map(markOf), total_count: Number(counted?.count)};
	}

	#rows(datasetName: string | undefined, order: string): Record<string, SQLOutputValue>[] {
		const where = datasetName === undefined ? '' : 'WHERE dataset_name = ?';
		const named = datasetName === undefined ? [] : [datasetName];
		return this.#database.prepare(`SELECT * FROM reviews ${where} ${order}`).all(...named);
	}
}
