import * as z from 'zod';
import {uuid} from './scalars.ts';

/**
 * The usual values of the episodes of one task and embodiment in a dataset. Null if unknown.
 * Shapes of lakescope's own.
 */
export const siblingGroup = z.lazy(() =>
	z.looseObject({
		task: z.string().nullable(),
		/** How many they are. */
		episodes: z.int(),
		/** Their duration, in the median. */
		seconds: z.number().nullable(),
		/** Their speed in equal parts of their course, in the median, in the robot's own units a second. */
		speed: z.array(z.number().nullable()),
		/** The action's channels: what nine of ten stay within, and between what the median one moves. */
		channels: z.array(
			z.looseObject({
				name: z.string(),
				low: z.number().nullable(),
				usual_low: z.number().nullable(),
				usual_high: z.number().nullable(),
				high: z.number().nullable(),
			}),
		),
	}),
);
export type SiblingGroup = z.output<typeof siblingGroup>;

/** Channels that one request may name. */
export const mostChannels = 256;

/** `GET /local/v1/episodes/{episode_id}/series`. */
export const seriesQuery = z.lazy(() =>
	z.strictObject({
		/**
		 * Which channels, separated by commas, each `stream.channel` (`action.gripper.pos,state.gripper.pos`); by default
		 * those of the action. A name with a comma in it: a JSON array of names. An empty text is none.
		 */
		channels: z.string().max(65_536).optional(),
		/** Buckets along the time. */
		width: z.int().min(1).max(2000).default(120),
		/** The frames that are wanted, `until` not among them; by default all. What lies beyond the last is left out. */
		from: z.int().min(0).optional(),
		until: z.int().min(1).optional(),
	}),
);
export type SeriesQuery = z.input<typeof seriesQuery>;

const figures = z.array(z.number().nullable());

/** The least and the greatest value of each bucket; null where it has none. */
export const bucketed = z.looseObject({min: figures, max: figures});
export type Bucketed = z.output<typeof bucketed>;

/** An episode's channels and its speed over time. */
export const episodeSeries = z.lazy(() =>
	z.looseObject({
		episode_id: uuid,
		dataset_name: z.string(),
		episode_index: z.int(),
		task: z.string().nullable(),
		frames: z.int(),
		fps: z.number(),
		seconds: z.number(),
		/** The frames that the buckets are of: `until` is the first that is not among them. */
		from: z.int(),
		until: z.int(),
		/** Buckets there are: never more than frames. Bucket k begins at frame from + ⌊k · (until − from) / width⌋. */
		width: z.int(),
		channels: z.array(
			bucketed.extend({
				stream: z.string(),
				channel: z.string(),
				/** Over the whole episode. */
				low: z.number().nullable(),
				high: z.number().nullable(),
			}),
		),
		/** Every channel that may be asked for, as `channels` takes it. */
		available: z.array(z.string()),
		/** Speed of the action, in the robot's own units a second; null where there is no action. */
		speed: bucketed.nullable(),
		/** In seconds from the episode's start. */
		pauses: z.array(z.looseObject({from: z.number(), to: z.number()})),
		/** The subtasks that the dataset marks, in seconds from the episode's start; a later version's answer. */
		markers: z.array(z.looseObject({name: z.string(), from: z.number(), to: z.number()})).nullish(),
		/** Values of the first reward model that left its file beside the dataset; null if none did. */
		progress: z.looseObject({sparse: bucketed.nullish(), dense: bucketed.nullish()}).nullable(),
		/** The same of every reward model, by its name; a later version's answer. */
		progress_of: z
			.array(z.looseObject({model: z.string(), sparse: bucketed.nullish(), dense: bucketed.nullish()}))
			.nullish(),
		/** The episodes of its task, itself among them; null where there are too few. */
		siblings: siblingGroup.nullable(),
	}),
);
export type EpisodeSeries = z.output<typeof episodeSeries>;
