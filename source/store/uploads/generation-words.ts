import {changedEpisodes} from '../../contract/changed-episodes.ts';
import type {SyncStatus} from '../../contract/sync-status.ts';

/** Which generation a re-ingest made, and how far that differs from the one before, where that is known. */
export function generationWords(status: SyncStatus): readonly string[] {
	const {generation} = status;
	const changed = changedEpisodes(status);
	return [
		...(generation == null ? [] : [`generation ${generation}`]),
		...(changed === undefined ? [] : [Number(changed) === 0 ? 'unchanged' : `${changed} changed`]),
	];
}
