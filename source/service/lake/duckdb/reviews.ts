import type {DuckDBConnection} from '@duckdb/node-api';
import type {Mark, Recording} from '../engine.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/** Those of these episodes that the lake holds, in its order. */
export async function recordings(
	database: Database,
	connection: DuckDBConnection,
	episodeIds: readonly string[],
): Promise<Recording[]> {
	const bound = new Parameters();
	return await database.rows<Recording>(
		connection,
		`SELECT e.episode_id::VARCHAR AS episode_id, d.dataset_id, d.dataset_name, e.episode_index,
			lower(hex(e.revision)) AS revision, e.review_state::VARCHAR AS review_state
		FROM episode e JOIN dataset d USING (dataset_key)
		WHERE e.revision IS NOT NULL AND e.episode_id IN (SELECT unnest(${bound.texts(episodeIds)})::UUID)
		ORDER BY d.dataset_name, e.row_key`,
		bound,
	);
}

/** The indices of a dataset's episodes that a person has rejected. */
export async function rejectedOf(
	database: Database,
	connection: DuckDBConnection,
	datasetName: string,
): Promise<number[]> {
	const bound = new Parameters();
	const rows = await database.rows<{episode_index: number}>(
		connection,
		`SELECT e.episode_index FROM episode e JOIN dataset d USING (dataset_key)
		WHERE d.dataset_name = ${bound.text(datasetName)} AND e.review_state = 'rejected'
		ORDER BY e.episode_index`,
		bound,
	);
	return rows.map(({episode_index}) => episode_index);
}

/** Decisions as the rows of a table. */
export function markRows(marks: readonly Mark[], bound: Parameters): string {
	return `(SELECT unnest(${bound.texts(marks.map(({datasetName}) => datasetName))}) AS dataset_name,
		from_hex(unnest(${bound.texts(marks.map(({revision}) => revision))})) AS revision,
		unnest(${bound.texts(marks.map(({state}) => state))})::review_state AS decided)`;
}

/** Shows decisions in the episodes that they are about; `unreviewed` is what the ingest had said. */
export async function showReviews(
	database: Database,
	connection: DuckDBConnection,
	marks: readonly Mark[],
): Promise<void> {
	if (marks.length === 0) return;
	const bound = new Parameters();
	await database.run(
		connection,
		`UPDATE episode SET review_state = CASE mark.decided
			WHEN 'unreviewed' THEN coalesce(episode.ingested_state, 'unreviewed'::review_state) ELSE mark.decided END
		FROM ${markRows(marks, bound)} mark JOIN dataset USING (dataset_name)
		WHERE episode.dataset_key = dataset.dataset_key AND episode.revision = mark.revision
			AND (mark.decided = 'unreviewed' OR episode.review_state <> mark.decided)`,
		bound,
	);
}
