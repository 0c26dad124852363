import {randomUUID} from 'node:crypto';
import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {OwnListQuery, OwnProjectItem, OwnProjectList} from '../../../contract/own-lists.ts';
import type {ProjectCreated} from '../../../contract/projects.ts';
import {pageOf} from '../../operations/list-page.ts';

const listed = `(SELECT projects.project_id, projects.name, projects.description, projects.created_at,
		max(projects.updated_at, coalesce(max(jobs.updated_at), '')) AS updated_at, count(jobs.job_id) AS jobs
	FROM projects LEFT JOIN jobs USING (project_id) GROUP BY projects.project_id)`;

function itemOf(row: Record<string, SQLOutputValue>): OwnProjectItem {
	return {
		project_id: String(row.project_id),
		name: String(row.name),
		description: row.description == null ? null : String(row.description),
		jobs: Number(row.jobs),
		created_at: String(row.created_at),
		updated_at: String(row.updated_at),
	};
}

/** The projects of a lake. What is created is on the disk when it returns. */
export class ProjectStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** A project is known by its name: where that exists, the one that has it is given. */
	create(name: string, description: string | undefined): ProjectCreated {
		const project_id = randomUUID();
		const at = new Date().toISOString();
		const {changes} = this.#database
			.prepare(
				`INSERT INTO projects (project_id, name, description, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (name) DO NOTHING`,
			)
			.run(project_id, name, description ?? null, at, at);
		if (changes > 0) return {created: true, project_id};
		const held = this.#database.prepare('SELECT project_id FROM projects WHERE name = ?').get(name);
		return {created: false, project_id: String(held?.project_id)};
	}

	has(projectId: string): boolean {
		return (
			this.#database.prepare('SELECT 1 FROM projects WHERE project_id = ?').get(projectId.toLowerCase()) !==
			undefined
		);
	}

	/** The names of the newest projects, for a sentence. */
	someNames(most: number): string[] {
		return this.#database
			.prepare('SELECT name FROM projects ORDER BY created_at DESC LIMIT ?')
			.all(most)
			.map(row => String(row.name));
	}

	/** @throws {Refusal} `invalid` for a cursor that this list did not give */
	list(query: OwnListQuery): OwnProjectList {
		const {rows, page_info} = pageOf(this.#database, {from: listed, id: 'project_id'}, query);
		return {items: rows.map(itemOf), page_info};
	}
}
