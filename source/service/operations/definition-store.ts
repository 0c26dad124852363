import {randomUUID} from 'node:crypto';
import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {z} from 'zod';
import type {
	DefinitionItem,
	DefinitionListResponse,
	definitionRequest,
	OwnDefinition,
} from '../../contract/local-definitions.ts';
import type {OwnListQuery} from '../../contract/own-lists.ts';
import {pageOf} from './list-page.ts';

/** The table of the operations file that holds saved dataset definitions. */
export const definitionTables = `
	CREATE TABLE IF NOT EXISTS definitions (
		def_id TEXT PRIMARY KEY,
		name TEXT NOT NULL,
		kind TEXT NOT NULL,
		episode_count INTEGER,
		content TEXT NOT NULL,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS definitions_by_age ON definitions (created_at, def_id);
`;

/** A listing does without the content, which may be thousands of ids. */
const listed = '(SELECT def_id, name, kind, episode_count, created_at, updated_at FROM definitions)';

type Row = Record<string, SQLOutputValue>;

function itemOf(row: Row): DefinitionItem {
	return {
		def_id: String(row.def_id),
		name: String(row.name),
		kind: row.kind === 'filter' ? 'filter' : 'episodes',
		episode_count: row.episode_count === null ? null : Number(row.episode_count),
		created_at: String(row.created_at),
		updated_at: String(row.updated_at),
	};
}

function definitionOf(row: Row): OwnDefinition {
	const item = itemOf(row);
	const content: unknown = JSON.parse(String(row.content));
	const isFilter = item.kind === 'filter';
	return {
		...item,
		filter: isFilter ? (content as OwnDefinition['filter']) : null,
		episode_ids: isFilter ? null : (content as string[]),
	};
}

/** The saved dataset definitions of a lake. What is saved is on the disk when the function returns. */
export class DefinitionStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	save({name, filter, episode_ids}: z.output<typeof definitionRequest>): OwnDefinition {
		const at = new Date().toISOString();
		const row = this.#database
			.prepare(
				`INSERT INTO definitions (def_id, name, kind, episode_count, content, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
			)
			.get(
				randomUUID(),
				name,
				filter === undefined ? 'episodes' : 'filter',
				episode_ids?.length ?? null,
				JSON.stringify(filter ?? episode_ids?.map(id => id.toLowerCase())),
				at,
				at,
			);
		if (!row) throw new Error(`the definition ${name} was not kept`);
		return definitionOf(row);
	}

	get(defId: string): OwnDefinition | undefined {
		const row = this.#database.prepare('SELECT * FROM definitions WHERE def_id = ?').get(defId.toLowerCase());
		return row && definitionOf(row);
	}

	list(query: OwnListQuery): DefinitionListResponse {
		const {rows, page_info} = pageOf(this.#database, {from: listed, id: 'def_id'}, query);
		return {items: rows.map(itemOf), page_info};
	}
}
