import type {LakeEpisode} from '../../contract/episode.ts';
import type {ResolvedPredicate} from './channel-filter.ts';
import {count} from './count.ts';
import {evidenceOf} from './evidence.ts';
import {metricColumns} from './numeric-columns.ts';
import type {EpisodeRow} from './page.ts';
import type {ParentIds} from './parents.ts';

/** Section 2.1: the most properties that `metrics` may have. */
const mostMetrics = 128;

/**
 * An episode in the interface's shape (section 2.1), and the name of its parent's dataset. Where channels were asked for
 * it carries its own evidence too, as `channel_predicate_evidence`, since the response's list has no room to say whose it
 * is.
 */
export function toLakeEpisode(
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

/** The metrics, the doubt and, as far as there is room, the free-form details beside them; a metric's name is its own. */
function metricsOf(row: EpisodeRow): Record<string, unknown> {
	const metrics = new Map<string, unknown>(metricColumns.map(column => [column, row[column]]));
	metrics.set('doubt', row.doubt);
	const details: unknown = row.details === null ? {} : JSON.parse(row.details);
	for (const [key, value] of Object.entries(details ?? {})) {
		if (metrics.size >= mostMetrics) break;
		if (!metrics.has(key)) metrics.set(key, value);
	}
	// Not by assignment: a detail named __proto__ is a property as any other.
	return Object.fromEntries(metrics);
}
