import type {MarkedStretches} from './read-markers.ts';

/** Where an episode lies in a camera's videos, as its metadata says. */
export type VideoListing = {
	readonly key: string;
	/** Relative to the dataset's root; undefined where the metadata does not say. */
	readonly file: string | undefined;
	/** Seconds in that file; undefined where the metadata does not say. */
	readonly from: number | undefined;
	readonly to: number | undefined;
};

/** A dataset's metadata about an episode, in either version of the format. */
export type EpisodeListing = {
	readonly episodeIndex: number;
	/** Frames it should have. */
	readonly length: number | undefined;
	/** Relative to the dataset's root; undefined where the metadata does not say. */
	readonly dataFile: string | undefined;
	/** The global index of its first frame. */
	readonly fromIndex: number | undefined;
	readonly tasks: readonly string[];
	readonly videos: readonly VideoListing[];
	/** Names of its subtask markers in their order; undefined where the metadata has none. */
	readonly markers: readonly string[] | undefined;
	/** The same markers with their frames, where the metadata places them. */
	readonly subtasks: MarkedStretches;
	readonly tags: readonly string[];
	readonly parentDataset: string | null;
	readonly parentEpisodeIndex: number | null;
	readonly memberOrdinal: bigint | null;
};

const maxEpisodeIndex = 4_294_967_295;

/**
 * The fault of a row of a dataset's episodes, as the end of a sentence about its file.
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
