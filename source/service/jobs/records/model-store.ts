import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import {v5} from 'uuid';
import type {ModelItem} from '../../../contract/listing.ts';
import type {OwnListQuery, OwnModelList} from '../../../contract/own-lists.ts';
import {pageOf} from '../../operations/list-page.ts';
import type {JobLinks} from './job-links.ts';

/** A model that a job made. */
export type Model = {
	readonly artifactId: string;
	readonly subtype: 'vla_model' | 'reward_model';
	readonly path: string;
};

type Row = Record<string, SQLOutputValue>;

function modelOf(row: Row): Model {
	return {
		artifactId: String(row.artifact_id),
		subtype: String(row.subtype) as Model['subtype'],
		path: String(row.path),
	};
}

/** The id of the model that a job makes. */
const modelId = (jobId: string) => v5('model', jobId);

/** The models that jobs of this lake made. */
export class ModelStore {
	readonly #database: DatabaseSync;
	readonly #links: JobLinks;

	constructor(database: DatabaseSync, links: JobLinks) {
		this.#database = database;
		this.#links = links;
	}

	/** Lists a job's model; one that the job made before is replaced, as it is the same training gone further. */
	put(
		jobId: string,
		projectId: string,
		model: Omit<Model, 'artifactId'> & {name: string; metadata: Record<string, unknown>},
	): void {
		const at = new Date().toISOString();
		const artifactId = modelId(jobId);
		this.#database
			.prepare(
				`INSERT INTO models (artifact_id, job_id, subtype, name, path, metadata, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (artifact_id) DO UPDATE
					SET path = excluded.path, metadata = excluded.metadata, updated_at = excluded.updated_at`,
			)
			.run(artifactId, jobId, model.subtype, model.name, model.path, JSON.stringify(model.metadata), at, at);
		this.#links.add(artifactId, jobId, 'output', projectId);
	}

	ofJob(jobId: string): Model | undefined {
		const row = this.#database.prepare('SELECT * FROM models WHERE job_id = ?').get(jobId);
		return row && modelOf(row);
	}

	get(artifactId: string): Model | undefined {
		const row = this.#database
			.prepare('SELECT * FROM models WHERE artifact_id = ?')
			.get(artifactId.toLowerCase());
		return row && modelOf(row);
	}

	/** @throws {Refusal} `invalid` for a cursor that this list did not give */
	list(query: OwnListQuery): OwnModelList {
		const {rows, page_info} = pageOf(this.#database, {from: 'models', id: 'artifact_id'}, query);
		return {items: rows.map(row => this.#itemOf(row)), page_info};
	}

	#itemOf(row: Row): ModelItem {
		return {
			artifact_id: String(row.artifact_id),
			subtype: String(row.subtype),
			path: String(row.path),
			metadata: JSON.parse(String(row.metadata)) as Record<string, unknown>,
			jobs: this.#links.of(String(row.artifact_id)),
			created_at: String(row.created_at),
			updated_at: String(row.updated_at),
		};
	}
}
