import * as z from 'zod';
import {integer, maxCount, openText} from './scalars.ts';

/** Section 2.8. `phase` is an open set: an unknown one is handled generically, never refused. */
export const syncStatus = z.lazy(() =>
	z.looseObject({
		phase: openText,
		done: z.boolean(),
		message: z.string().nullish(),
		progress_json: z.string().nullish(),
		dataset_version_id: z.string().nullish(),
		generation: integer({max: maxCount}).nullish(),
		episode_count: integer({max: maxCount}).nullish(),
		total_frames: integer({max: maxCount}).nullish(),
	}),
);
export type SyncStatus = z.output<typeof syncStatus>;
