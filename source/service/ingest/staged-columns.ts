import {BIGINT, DOUBLE, type DuckDBType, INTEGER, LIST, UBIGINT, UINTEGER, VARCHAR} from '@duckdb/node-api';
import {heldMetrics} from '../../contract/metrics.ts';
import type {ReviewState, Tier} from '../../contract/vocabulary.ts';
import type {EpisodeMetrics} from '../../motion/episode-metrics.ts';

/** One row of `episodes.parquet`. */
export type StagedEpisode = {
	readonly episodeIndex: number;
	readonly episodeId: string;
	readonly revision: string;
	readonly task: string | null;
	readonly tier: Tier | null;
	readonly reviewState: ReviewState;
	readonly markerSignature: string | null;
	readonly tags: readonly string[];
	readonly parentDataset: string | null;
	readonly parentEpisodeIndex: number | null;
	readonly memberOrdinal: bigint | null;
	readonly metrics: EpisodeMetrics;
	/** How unlike its siblings it is, in thresholds; null where that cannot be told. */
	readonly doubt: number | null;
	/** Further metrics, as the text of a JSON object. */
	readonly details: string | null;
};

type StagedColumn = {
	readonly name: string;
	readonly type: DuckDBType;
	readonly value: (episode: StagedEpisode) => string | number | bigint | readonly string[] | null;
};

/** The columns of `episodes.parquet`: what an ingest hands over to the lake. */
export const stagedEpisodeColumns: readonly StagedColumn[] = [
	{name: 'episode_index', type: UINTEGER, value: episode => episode.episodeIndex},
	{name: 'episode_id', type: VARCHAR, value: episode => episode.episodeId},
	{name: 'revision', type: VARCHAR, value: episode => episode.revision},
	{name: 'task', type: VARCHAR, value: episode => episode.task},
	{name: 'tier', type: VARCHAR, value: episode => episode.tier},
	{name: 'frame_count', type: UBIGINT, value: episode => BigInt(episode.metrics.frame_count)},
	{name: 'duration_s', type: DOUBLE, value: episode => episode.metrics.duration_s},
	{name: 'quality_score', type: DOUBLE, value: episode => episode.metrics.quality_score},
	{name: 'review_state', type: VARCHAR, value: episode => episode.reviewState},
	{name: 'marker_signature', type: VARCHAR, value: episode => episode.markerSignature},
	{name: 'tags', type: LIST(VARCHAR), value: episode => episode.tags},
	{name: 'parent_dataset', type: VARCHAR, value: episode => episode.parentDataset},
	{name: 'parent_episode_index', type: INTEGER, value: episode => episode.parentEpisodeIndex},
	{name: 'member_ordinal', type: BIGINT, value: episode => episode.memberOrdinal},
	...heldMetrics.map((name): StagedColumn => ({name, type: DOUBLE, value: ({metrics}) => metrics[name]})),
	{name: 'doubt', type: DOUBLE, value: episode => episode.doubt},
	{name: 'details', type: VARCHAR, value: episode => episode.details},
];
