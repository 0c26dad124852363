import type {DuckDBConnection} from '@duckdb/node-api';
import type {ChannelList} from '../../contract/local-distribution.ts';
import type {Stream} from '../../contract/vocabulary.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';

/** Some arms with some hands each; a lake that has more names the rest when they are typed out. */
const most = 2000;

/** The channels of the lake, the most common first, and in how many episodes each may be asked for. */
export async function listChannels(database: Database, connection: DuckDBConnection): Promise<ChannelList> {
	const rows = await database.rows<{stream: Stream; channel: string; episodes: bigint}>(
		connection,
		`SELECT stream, channel, sum(episode_count)::HUGEINT AS episodes
		FROM (SELECT DISTINCT layout_key, stream, channel FROM channel) JOIN dataset USING (layout_key)
		GROUP BY stream, channel
		ORDER BY episodes DESC, stream, channel
		LIMIT ${most + 1}`,
	);
	return {
		items: rows.slice(0, most).map(row => ({...row, episodes: count(row.episodes)})),
		more: rows.length > most,
	};
}
