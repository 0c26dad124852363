import type {Feature} from './info.ts';
import type {LanguageRows} from './language.ts';
import type {FeatureStats, PictureCounts} from './write-stats.ts';

/** The values of one feature over an episode's frames, frame after frame; `bool` features are bytes of 0 and 1. */
export type FrameValues =
	| Float32Array
	| Float64Array
	| Int8Array
	| Uint8Array
	| Int16Array
	| Uint16Array
	| Int32Array
	| Uint32Array
	| BigInt64Array
	| BigUint64Array
	| readonly string[]
	/** The files of pictures, as PNG or JPEG. */
	| readonly Uint8Array[]
	| readonly LanguageRows[];

/** The statistics of the pictures of an episode's camera. */
export type PictureStats = {
	readonly stats: FeatureStats;
	/** Where they were counted for this. */
	readonly counts?: PictureCounts | undefined;
};

/** Where subtask markers are kept: the two families of episode columns, or a column of every frame. */
export type MarkerForm = 'sparse' | 'dense' | 'frame';

/** A dataset's description, apart from what follows from its episodes. */
export type DatasetToWrite = {
	readonly robotType: string | null;
	readonly fps: number;
	/**
	 * As `info.json` declares them; videos (`dtype: 'video'`) have no values in the data files. Without
	 * the columns every dataset has (`timestamp`, `frame_index`, …), which the writer adds.
	 */
	readonly features: Readonly<Record<string, Feature>>;
	/** @default one split, `train`, of all episodes */
	readonly splits?: Readonly<Record<string, string>>;
	/** @default none */
	readonly markers?: readonly MarkerForm[];
	/** True if the episodes carry `lakescope/parent_dataset`, `…/parent_episode_index`, `…/member_ordinal`. */
	readonly lineage?: boolean;
	/** True if the episodes carry `lakescope/tags`. */
	readonly tags?: boolean;
	/** The dataset card, written as README.md. */
	readonly card?: string;
	/** @default 100 */
	readonly dataFilesSizeInMb?: number;
	/** @default 500 */
	readonly videoFilesSizeInMb?: number;
	/** Most files in a chunk folder. @default 1000 */
	readonly chunksSize?: number;
};

/** Where an episode lies in a camera's video files. Times in seconds from the start of that file. */
export type VideoSpan = {
	readonly chunkIndex: number;
	readonly fileIndex: number;
	readonly fromTimestamp: number;
	readonly toTimestamp: number;
};

/** A named stretch of an episode; both frames are part of it. */
export type Subtask = {readonly name: string; readonly startFrame: number; readonly endFrame: number};

export type Lineage = {
	readonly parentDataset: string;
	readonly parentEpisodeIndex: number;
	/** The place among the children of one parent. */
	readonly memberOrdinal: number;
};

export type EpisodeToWrite = {
	/** Frames. */
	readonly length: number;
	/** The task's text; several where the task changes within the episode, with `taskOfFrame`. */
	readonly tasks: readonly string[];
	/** For each frame the place of its task in `tasks`. @default all frames belong to the first */
	readonly taskOfFrame?: Uint8Array;
	/** One entry for each feature that is not a video: `length × shape` values, or a picture a frame. */
	readonly values: Readonly<Record<string, FrameValues>>;
	/** Seconds from the episode's start. @default frame / fps */
	readonly timestamps?: Float32Array;
	/** One entry for each video feature. */
	readonly videos: Readonly<Record<string, VideoSpan>>;
	/** Of its cameras; one that any episode lacks gets no statistics in the dataset. @default none */
	readonly pictures?: Readonly<Record<string, PictureStats>>;
	/** Per form in which the dataset keeps markers; an absent form means an unmarked episode. */
	readonly subtasks?: Readonly<Partial<Record<MarkerForm, readonly Subtask[]>>>;
	readonly tags?: readonly string[];
	readonly lineage?: Lineage;
};

const reserved = new Set([
	'timestamp',
	'frame_index',
	'episode_index',
	'index',
	'task_index',
	'subtask_index',
]);

/**
 * Refuses a description that would give a dataset its readers cannot open.
 *
 * @throws {Error} that names the feature and its fault.
 */
export function checkDescription({fps, features}: DatasetToWrite): void {
	if (!(Number.isFinite(fps) && fps > 0)) throw new Error(`fps is ${fps}; it must be above 0.`);
	for (const [name, feature] of Object.entries(features)) {
		if (reserved.has(name)) throw new Error(`Feature "${name}" is written by itself; leave it out.`);
		if (name.includes('/'))
			throw new Error(`Feature "${name}" has a slash in its name; LeRobot refuses those.`);
		if (feature.dtype === 'video' || feature.dtype === 'image') continue;
		if (feature.shape.length !== 1 || !(Number(feature.shape[0]) >= 1)) {
			throw new Error(
				`Feature "${name}" has the shape [${feature.shape.join(', ')}]; only vectors can be written.`,
			);
		}
	}
}

/** The keys of the features that are kept as videos. */
export function videoKeys(features: Readonly<Record<string, Feature>>): string[] {
	return Object.keys(features).filter(key => features[key]?.dtype === 'video');
}

/** The keys of the features that are pictures, in videos or in the data files. */
export function cameraKeys(features: Readonly<Record<string, Feature>>): string[] {
	return Object.keys(features).filter(key => ['video', 'image'].includes(features[key]?.dtype ?? ''));
}
