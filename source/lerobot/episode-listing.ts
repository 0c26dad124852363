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

/** What a dataset's metadata says of an episode, in whichever version of the format it is written. */
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
