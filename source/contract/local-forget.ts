import * as z from 'zod';
import {uuid} from './scalars.ts';

/** `/local/v1/datasets/{dataset_id}/forget`: what forgetting a dataset takes out of the lake, and what stays. */
export const forgetRecord = z.lazy(() =>
	z.looseObject({
		dataset_id: uuid,
		dataset_name: z.string(),
		/** Where it was ingested from. */
		folder: z.string(),
		episodes: z.int(),
		/** Folders in the lake that hold nothing else: composed, trimmed or uploaded. They are deleted. */
		copies: z.array(z.string()),
		/** Recordings that a person has marked. The marks stay, and show again when they are ingested again. */
		marked: z.int(),
		/** Why it cannot be forgotten now: a sentence. */
		refused: z.string().nullable(),
	}),
);
export type ForgetRecord = z.output<typeof forgetRecord>;
