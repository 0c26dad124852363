import type {DuckDBConnection} from '@duckdb/node-api';
import type {SiblingGroup} from '../../../contract/local-series.ts';
import type {EpisodePlace} from '../engine.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/** Where an episode lies, if the lake holds it. */
export async function episodePlace(
	database: Database,
	connection: DuckDBConnection,
	episodeId: string,
): Promise<EpisodePlace | undefined> {
	const bound = new Parameters();
	const [found] = await database.rows<Omit<EpisodePlace, 'siblings'> & {siblings: string | null}>(
		connection,
		`SELECT e.episode_id::VARCHAR AS episode_id, d.dataset_name, d.dataset_version_id, d.folder, e.episode_index,
			lower(hex(e.revision)) AS revision, p.task, d.siblings
		FROM episode e JOIN profile p USING (profile_key) JOIN dataset d ON d.dataset_key = e.dataset_key
		WHERE e.episode_id = ${bound.text(episodeId)}::UUID`,
		bound,
	);
	return found && {...found, siblings: JSON.parse(found.siblings ?? '[]') as SiblingGroup[]};
}
