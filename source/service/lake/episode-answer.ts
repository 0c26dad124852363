import type {ChannelPredicateEvidence, LakeEpisode} from '../../contract/episode.ts';
import {heldMetrics} from '../../contract/metrics.ts';
import {type ResolvedPredicate, slotColumn} from './channel-slots.ts';
import {count} from './count.ts';

/*
 * Rows of an engine as episodes of the interface.
 */

/** An episode as the statement gives it, before it takes the interface's shape. */
export type EpisodeRow = {
	layout_key: number;
	episode_id: string;
	dataset_id: string;
	dataset_name: string;
	dataset_version_id: string;
	episode_index: number;
	task: string | null;
	tier: string | null;
	interface_hash: string | null;
	tags: string[];
	frame_count: bigint;
	duration_s: number;
	quality_score: number | null;
	doubt: number | null;
	review_state: string;
	parent_dataset: string | null;
	parent_episode_index: number | null;
	member_ordinal: bigint | null;
	revision: string | null;
	details: string | null;
	/** The metrics, and the slots that channel predicates look at. */
	[column: string]: unknown;
};

/** The ids of the episodes that the children of a page descend from. */
export type ParentIds = {
	/** The parent's id; null for an original, and for a child whose parent the lake does not hold. */
	idOf(row: EpisodeRow): string | null;
};

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

/** Section 2.2: what each channel predicate observed in an episode that satisfies all of them. */
export function evidenceOf(
	row: EpisodeRow,
	channels: readonly ResolvedPredicate[],
): ChannelPredicateEvidence[] {
	return channels.flatMap(({predicate, placed}, predicate_index) => {
		const {stream, channel, agg, op, value: threshold} = predicate;
		for (const candidate of placed) {
			const observed = row[slotColumn(candidate.slot, agg)];
			if (candidate.layout_key !== row.layout_key || typeof observed !== 'number') continue;
			const {native_channel, native_index} = candidate;
			return {
				predicate_index,
				stream,
				channel,
				agg,
				op,
				threshold,
				observed_value: observed,
				native_channel,
				native_index,
			};
		}
		return [];
	});
}
