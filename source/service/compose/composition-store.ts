import type {DatabaseSync} from 'node:sqlite';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import type {ComposeWork} from './compose-messages.ts';

/** The episodes that datasets are to be composed of, by the dataset's future folder: an ingest of that folder begins with it. */
export const compositionTables = `
	CREATE TABLE IF NOT EXISTS compositions (
		folder TEXT PRIMARY KEY,
		record TEXT NOT NULL
	) STRICT;
`;

/** A composition as it was ordered, and what came of it. */
export type Composition = {
	readonly work: ComposeWork;
	readonly parents: readonly {
		readonly dataset_id: string;
		readonly dataset_name: string;
		readonly episodes: number;
	}[];
	/** How many rejected episodes were left out; undefined in a record of an older version. */
	readonly rejectedLeftOut?: number;
	readonly summary: ComposeSummary | null;
};

/** The compositions of a lake. What these functions write is on the disk when they return. */
export class CompositionStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	put(composition: Composition): void {
		this.#database
			.prepare('INSERT OR REPLACE INTO compositions VALUES (?, ?)')
			.run(composition.work.target, JSON.stringify(composition));
	}

	get(folder: string): Composition | undefined {
		const row = this.#database.prepare('SELECT record FROM compositions WHERE folder = ?').get(folder);
		return row && (JSON.parse(String(row.record)) as Composition);
	}
}
