import * as z from 'zod';
import {type Count, integer, maxCount, openText} from './scalars.ts';

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

const count = integer({max: maxCount});

/** Changes that a re-ingest found in episodes whose recording did not change, each a number of episodes. */
const otherChanges = z.looseObject({
	/** Videos that were missing before are there. */
	videos_found: count,
	/** Videos that were there before are missing. */
	videos_lost: count,
	/** Figures, tier, tags or task differ. */
	judged_anew: count,
});
export type OtherChanges = z.output<typeof otherChanges>;

/** The embedded service's additions to the status of a finalized re-ingest (2.8). */
const withChanges = z.looseObject({
	/** Episodes that are new, recorded anew or gone since the generation before. */
	changed_episodes: count.nullish(),
	other_changes: otherChanges.nullish(),
});

/** Both are undefined where there was no generation before, or where the service does not say. */
export type Changes = {readonly episodes: Count | undefined; readonly others: OtherChanges | undefined};

export function changesOf(status: SyncStatus): Changes {
	const read = withChanges.safeParse(status).data;
	return {episodes: read?.changed_episodes ?? undefined, others: read?.other_changes ?? undefined};
}

/** The changes as the operations file keeps them. */
export function readOtherChanges(json: string): OtherChanges | null {
	return otherChanges.safeParse(JSON.parse(json)).data ?? null;
}
