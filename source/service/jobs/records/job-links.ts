import type {DatabaseSync} from 'node:sqlite';
import type {DatasetItem, JobLink} from '../../../contract/listing.ts';
import type {Direction} from '../../../contract/vocabulary.ts';

/** The links to jobs that 4.6 asks for. */
type LinkFilter = {
	readonly direction?: Direction | undefined;
	readonly project_id?: string | undefined;
	readonly job_id?: string | undefined;
};

/** How many jobs an item lists; the newest ones. */
const listedLinks = 200;

/** Which artifacts went into which jobs, and which came out: datasets and models alike, fine-tunes and others. */
export class JobLinks {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** @param projectId absent for a job that belongs to no project, as an augmentation's */
	add(artifactId: string, jobId: string, direction: Direction, projectId?: string): void {
		this.#database
			.prepare(
				'INSERT OR IGNORE INTO job_links (artifact_id, job_id, project_id, direction) VALUES (?, ?, ?, ?)',
			)
			.run(artifactId, jobId, projectId ?? null, direction);
	}

	/** The artifacts with one job that is all of what is asked; undefined where nothing is. */
	artifactsWith({direction, project_id, job_id}: LinkFilter): string[] | undefined {
		const asked = Object.entries({direction, project_id, job_id}).filter(
			(entry): entry is [string, string] => entry[1] !== undefined,
		);
		if (asked.length === 0) return undefined;
		const conditions = asked.map(([column]) => `${column} = ?`).join(' AND ');
		return this.#database
			.prepare(`SELECT DISTINCT artifact_id FROM job_links WHERE ${conditions}`)
			.all(...asked.map(([, value]) => value.toLowerCase()))
			.map(row => String(row.artifact_id));
	}

	/** The job links of an artifact, newest first. */
	of(artifactId: string): JobLink[] {
		return this.#database
			.prepare(
				`SELECT job_id, direction FROM job_links WHERE artifact_id = ? ORDER BY rowid DESC LIMIT ${listedLinks}`,
			)
			.all(artifactId)
			.map(row => ({job_id: String(row.job_id), direction: String(row.direction)}));
	}

	/** A dataset item with its jobs. */
	attach(item: DatasetItem): DatasetItem {
		return {...item, jobs: this.of(item.artifact_id)};
	}
}
