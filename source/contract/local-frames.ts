import * as z from 'zod';
import {uuid} from './scalars.ts';

/** Pixels of a side that a picture may have, and has where nothing is said. */
export const frameSides = {min: 16, max: 640, default: 320} as const;

/** `GET /local/v1/episodes/{episode_id}/frames`: one picture of one camera. Shapes of lakescope's own. */
export const frameQuery = z.lazy(() =>
	z.strictObject({
		/** The feature's key; by default the first camera. */
		camera: z.string().min(1).max(1024).optional(),
		which: z.enum(['first', 'last']).default('first'),
		/** The longer side, in pixels, is at most this. */
		side: z.int().min(frameSides.min).max(frameSides.max).default(frameSides.default),
	}),
);
export type FrameQuery = z.input<typeof frameQuery>;

export const episodeFrame = z.lazy(() =>
	z.looseObject({
		episode_id: uuid,
		/** Every camera of the dataset. */
		cameras: z.array(z.string()),
		/** Null where the dataset has no cameras. */
		camera: z.string().nullable(),
		which: z.enum(['first', 'last']),
		/** Where it was taken from; null where there is none. */
		source: z.enum(['parquet', 'video']).nullable(),
		/** A PNG in base64; null where there is none. */
		png: z.string().max(4_194_304).nullable(),
		/** For a depth camera, the distances of its brightest and its darkest grey, black being none; a later version's answer. */
		depth: z.looseObject({near: z.number(), far: z.number(), unit: z.string().nullable()}).nullish(),
		/** Why there is none. */
		problem: z.string().nullable(),
	}),
);
export type EpisodeFrame = z.output<typeof episodeFrame>;
