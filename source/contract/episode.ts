import * as z from 'zod';
import {exploreLimits} from './limits.ts';
import {
	freeForm,
	integer,
	maxCount,
	maxIndex,
	maxOrdinal,
	maxSignedIndex,
	openText,
	real,
	sha256Hex,
	smallInteger,
	uuid,
} from './scalars.ts';

/** Section 2.2: what an episode's channel was measured at, against one channel predicate of the request. */
export const channelPredicateEvidence = z.looseObject({
	predicate_index: smallInteger(31),
	stream: openText,
	channel: z.string().min(1).max(512),
	agg: openText,
	op: openText,
	threshold: real,
	observed_value: real,
	native_channel: z.string().min(1).max(512),
	native_index: smallInteger(maxIndex),
});
export type ChannelPredicateEvidence = z.output<typeof channelPredicateEvidence>;

/** Section 2.1: the names a dataset may have. */
export const datasetName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, {
	error: 'must be 1 to 128 letters, digits, dots, underscores or hyphens, the first a letter or digit',
});

/** Section 2.1: an element of `episodes` in the explore response. */
export const lakeEpisode = z.looseObject({
	episode_id: uuid,
	dataset_id: uuid,
	dataset_name: datasetName,
	episode_index: smallInteger(maxIndex),
	task: z.string().max(exploreLimits.text).nullish(),
	tier: openText.nullish(),
	frame_count: integer({max: maxCount}),
	duration_seconds: real,
	quality_score: real.refine(value => value <= 1, {error: 'must be at most 1'}).nullish(),
	thumb_url: z.string().min(1).max(16_384).nullish(),
	interface_hash: z.string().max(128).nullish(),
	tags: z.array(z.string()).max(512).nullish(),
	review_state: openText,
	metrics: freeForm(128).nullish(),
	dataset_version_id: uuid.nullish(),
	parent_episode_id: uuid.nullish(),
	parent_episode_index: smallInteger(maxSignedIndex).nullish(),
	/** Not in the document: the dataset of the parent, which the embedded service tells. */
	parent_dataset_name: datasetName.nullish().catch(undefined),
	member_ordinal: integer({max: maxOrdinal}).nullish(),
	episode_revision_id: sha256Hex.nullish(),
	/** Not in the document: used as it is where a service gives it (the embedded one does), ignored if unreadable. */
	channel_predicate_evidence: z.array(channelPredicateEvidence).nullish().catch(undefined),
});
export type LakeEpisode = z.output<typeof lakeEpisode>;
