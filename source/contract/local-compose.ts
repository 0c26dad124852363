import * as z from 'zod';
import {datasetName} from './episode.ts';
import {ingestRecord} from './local.ts';
import {uuid} from './scalars.ts';

/** Episodes that one dataset may be composed of. */
export const mostComposed = 50_000;

/**
 * `POST /local/v1/compose`: writes one new dataset of episodes of several, all of one embodiment, and takes it in. They
 * come in the lake's order, by dataset and index. Shapes of lakescope's own.
 */
export const composeRequest = z.lazy(() =>
	z.strictObject({
		/** The new dataset's name in the lake; one that is taken is refused. */
		name: datasetName,
		episode_ids: z.array(uuid).min(1).max(mostComposed),
		/** Episodes that a person has rejected are left out unless this asks for them. @default false */
		include_rejected: z.boolean().optional(),
		/**
		 * The operation's id, where its caller gives it: by it a lost answer is settled, and a second order of the same id and
		 * name gets the first one's record.
		 */
		operation_id: uuid.optional(),
	}),
);
export type ComposeRequest = z.input<typeof composeRequest>;

/** The result of a composition. */
export const composeSummary = z.lazy(() =>
	z.looseObject({
		episodes: z.int(),
		frames: z.int(),
		/** Video files that the new dataset has of its parents', and those that a parent names and has not. */
		videos: z.int(),
		videos_absent: z.int(),
		/** Of those, how many hold nothing but the chosen episodes, cut out of files that hold others too. */
		videos_cut: z.int().optional(),
		/** Bytes of all, and of those that are the parents' own files and take no room beside them. */
		video_bytes: z.int().optional(),
		video_bytes_linked: z.int().optional(),
		/** Why files were taken whole that hold episodes which were not chosen: a sentence. */
		videos_note: z.string().nullish(),
		/** Which cameras not every episode has statistics of, and why: a sentence. */
		camera_stats_note: z.string().nullish(),
	}),
);
export type ComposeSummary = z.output<typeof composeSummary>;

/** A composition: its ingest, whose phase `preparing` begins with the writing, and what it is made of. */
export const composeRecord = z.lazy(() =>
	ingestRecord.extend({
		parents: z.array(z.looseObject({dataset_id: uuid, dataset_name: z.string(), episodes: z.int()})),
		/** How many are composed, and how many rejected ones were left out. */
		episode_count: z.int(),
		rejected_left_out: z.int().default(0),
		/** Features beside action, state and cameras that are not in all parents, or not alike: it goes without them. */
		features_left_out: z.array(z.string()),
		/** Null until it is written. */
		summary: composeSummary.nullable(),
	}),
);
export type ComposeRecord = z.output<typeof composeRecord>;
