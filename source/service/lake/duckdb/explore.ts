import type {DuckDBConnection} from '@duckdb/node-api';
import type {ExploreQuery, ExploreResponse} from '../../../contract/explore.ts';
import type {LocalExploreQuery, LocalExploreResponse} from '../../../contract/local-explore.ts';
import {evidenceOf, toLakeEpisode} from '../episode-answer.ts';
import {resolvePredicates} from './channel-filter.ts';
import type {Database} from './database.ts';
import {readPage} from './page.ts';
import {parentsOf} from './parents.ts';
import {summarize} from './summary.ts';

/**
 * Answers section 4.1 from one snapshot: page, totals and facets are read in one transaction.
 *
 * Decisions where the document is open: the order is dataset name, then episode index, and `order_desc` turns
 * it round; several tags mean all of them; a child is an episode with a parent index; an episode without tier is
 * listed and asked for as the tier ''; one without task or embodiment is not listed in that facet; of channels of one
 * name in an episode's stream the one with the lowest native index counts; the evidence is that of the page's first
 * episode, and empty for a page without episodes.
 */
export async function explore(
	database: Database,
	connection: DuckDBConnection,
	query: ExploreQuery,
): Promise<ExploreResponse> {
	return await answer(database, connection, query);
}

/** The same in the order that the query's `sort` says, and with our own facets. */
export async function localExplore(
	database: Database,
	connection: DuckDBConnection,
	query: LocalExploreQuery,
): Promise<LocalExploreResponse> {
	return await answer(database, connection, query, {withOwn: true});
}

async function answer(
	database: Database,
	connection: DuckDBConnection,
	query: LocalExploreQuery,
	{withOwn = false} = {},
) {
	return await database.transaction(connection, 'READ ONLY', async () => {
		const channels = await resolvePredicates(database, connection, query.channel_predicates ?? []);
		const {datasets, ...totals} = await summarize(database, connection, query, channels, {
			withOwn,
		});
		const page = await readPage(database, connection, query, channels, datasets);
		const parents = await parentsOf(database, connection, page);
		const [first] = page;
		return {
			episodes: page.map(row => toLakeEpisode(row, channels, parents)),
			channel_predicate_evidence: first ? evidenceOf(first, channels) : [],
			...totals,
			page_limit: query.limit,
			page_offset: query.offset,
		};
	});
}
