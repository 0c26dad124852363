import * as z from 'zod';
import {type Count, integer, maxCount} from './scalars.ts';
import type {SyncStatus} from './sync-status.ts';

/** What the embedded service adds to the status of a finalized re-ingest (2.8). */
const withChanges = z.looseObject({changed_episodes: integer({max: maxCount}).nullish()});

/**
 * How many episodes are new, recorded anew or gone since the generation before; undefined where there was none, or
 * where the service does not say.
 */
export function changedEpisodes(status: SyncStatus): Count | undefined {
	const read = withChanges.safeParse(status);
	return read.success ? (read.data.changed_episodes ?? undefined) : undefined;
}
