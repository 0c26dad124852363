import type {DuckDBConnection} from '@duckdb/node-api';
import type {EpisodeRow, ParentIds} from '../episode-answer.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/**
 * Finds the parents of a page's children. A child stores its parent's dataset and index, as its dataset on disk does,
 * and the id is looked up when it is read: so a parent may be published later than its child, change its id with a
 * new revision, or be removed, and no child has to be written again.
 */
export async function parentsOf(
	database: Database,
	connection: DuckDBConnection,
	page: readonly EpisodeRow[],
): Promise<ParentIds> {
	const children = page.filter(row => row.parent_dataset !== null && row.parent_episode_index !== null);
	const ids = new Map<string, string>();
	if (children.length > 0) {
		const bound = new Parameters();
		const names = bound.texts(children.map(row => row.parent_dataset ?? ''));
		const indices = bound.integers(children.map(row => row.parent_episode_index ?? -1));
		const parents = await database.rows<{dataset_name: string; episode_index: number; episode_id: string}>(
			connection,
			`SELECT d.dataset_name, e.episode_index, e.episode_id
			FROM episode e JOIN dataset d USING (dataset_key)
			WHERE d.dataset_name IN (SELECT unnest(${names})) AND e.episode_index IN (SELECT unnest(${indices}))`,
			bound,
		);
		for (const parent of parents) {
			ids.set(place(parent.dataset_name, parent.episode_index), parent.episode_id);
		}
	}
	return {idOf: row => ids.get(place(row.parent_dataset, row.parent_episode_index)) ?? null};
}

function place(dataset: string | null, index: number | null): string {
	return JSON.stringify([dataset, index]);
}
