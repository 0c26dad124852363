import type {EpisodeListing} from './episode-listing.ts';

const maxEpisodeIndex = 4_294_967_295;

/**
 * What is wrong with a row of a dataset's episodes, as the end of a sentence about where it stands.
 *
 * @param listings those before it.
 */
export function complaintAbout(
	{episodeIndex}: EpisodeListing,
	listings: ReadonlyMap<number, EpisodeListing>,
): string | undefined {
	if (!Number.isInteger(episodeIndex) || episodeIndex < 0 || episodeIndex > maxEpisodeIndex) {
		return `has a row whose episode_index is ${Number.isNaN(episodeIndex) ? 'not a number' : episodeIndex}`;
	}
	if (listings.has(episodeIndex)) return `lists episode ${episodeIndex} again; the first row counts`;
	return undefined;
}
