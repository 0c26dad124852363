import {type Changes, changesOf} from '../../contract/changed-episodes.ts';
import type {Count} from '../../contract/scalars.ts';
import type {SyncStatus} from '../../contract/sync-status.ts';

/** Which generation a re-ingest made, and how far that differs from the one before, where that is known. */
export function generationWords(status: SyncStatus): readonly string[] {
	const {generation} = status;
	return [...(generation == null ? [] : [`generation ${generation}`]), ...changeWords(changesOf(status))];
}

function changeWords({episodes, others}: Changes): readonly string[] {
	if (episodes === undefined) return [];
	const {videos_found = 0, videos_lost = 0, judged_anew = 0} = others ?? {};
	const further = [
		...(videos_found ? [`videos found for ${episodesOf(videos_found)}`] : []),
		...(videos_lost ? [`videos missing for ${episodesOf(videos_lost)}`] : []),
		...(judged_anew ? [`figures or tags differ for ${episodesOf(judged_anew)}`] : []),
	];
	if (episodes) return [`${episodes} changed`, ...further];
	// Whoever does not tell the rest may have changed it.
	return others === undefined || further.length > 0 ? ['no recording changed', ...further] : ['unchanged'];
}

const episodesOf = (count: Count) => `${count} ${Number(count) === 1 ? 'episode' : 'episodes'}`;
