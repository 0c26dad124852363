import type {DuckDBConnection} from '@duckdb/node-api';
import type {LakeEpisode} from '../../../contract/episode.ts';
import type {ExploreQuery, ExploreResponse} from '../../../contract/explore.ts';
import type {LocalExploreQuery, LocalExploreResponse} from '../../../contract/local-explore.ts';
import {heldMetrics} from '../../../contract/metrics.ts';
import {type ResolvedPredicate, resolvePredicates} from './channel-filter.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';
import {evidenceOf} from './evidence.ts';
import {type EpisodeRow, readPage} from './page.ts';
import {type ParentIds, parentsOf} from './parents.ts';
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

/** Section 2.1: the most properties that `metrics` may have. */
const mostMetrics = 128;

/**
 * An episode in the interface's shape (section 2.1), and the name of its parent's dataset. Where channels were asked for
 * it carries its own evidence too, as `channel_predicate_evidence`, since the response's list has no room to say whose it
 * is.
 */
function toLakeEpisode(
	row: EpisodeRow,
	channels: readonly ResolvedPredicate[],
	parents: ParentIds,
): LakeEpisode {
	const episode: LakeEpisode = {
		episode_id: row.episode_id,
		dataset_id: row.dataset_id,
		dataset_name: row.dataset_name,
		episode_index: row.episode_index,
		task: row.task,
		tier: row.tier,
		frame_count: count(row.frame_count),
		duration_seconds: row.duration_s,
		quality_score: row.quality_score,
		thumb_url: null,
		interface_hash: row.interface_hash,
		tags: row.tags,
		review_state: row.review_state,
		metrics: metricsOf(row),
		dataset_version_id: row.dataset_version_id,
		parent_episode_id: parents.idOf(row),
		parent_episode_index: row.parent_episode_index,
		member_ordinal: row.member_ordinal === null ? null : count(row.member_ordinal),
		episode_revision_id: row.revision,
	};
	if (row.parent_dataset !== null) episode.parent_dataset_name = row.parent_dataset;
	if (channels.length > 0) episode.channel_predicate_evidence = evidenceOf(row, channels);
	return episode;
}

/** The metrics, `doubt` and, as far as there is room, the free-form details beside them; a metric's name is its own. */
function metricsOf(row: EpisodeRow): Record<string, unknown> {
	const metrics = new Map<string, unknown>(heldMetrics.map(column => [column, row[column]]));
	metrics.set('doubt', row.doubt);
	const details: unknown = row.details === null ? {} : JSON.parse(row.details);
	for (const [key, value] of Object.entries(details ?? {})) {
		if (metrics.size >= mostMetrics) break;
		if (!metrics.has(key)) metrics.set(key, value);
	}
	// Not by assignment: a detail named __proto__ is a property as any other.
	return Object.fromEntries(metrics);
}
