import type * as z from 'zod';
import type {ExploreQuery, ExploreResponse} from '../../contract/explore.ts';
import type {DatasetListResponse, datasetListQuery} from '../../contract/listing.ts';
import type {ChannelList, Histogram, HistogramQuery} from '../../contract/local-distribution.ts';
import type {LocalExploreQuery, LocalExploreResponse} from '../../contract/local-explore.ts';
import type {SiblingGroup} from '../../contract/local-series.ts';
import type {Count} from '../../contract/scalars.ts';
import type {OtherChanges} from '../../contract/sync-status.ts';

/**
 * A lake that is open: datasets and their episodes, published, asked about and taken out. What it cannot do it says with
 * a LakeError. Which engine does so is chosen in `daemon/`; each passes `engineConformance` of the tests.
 */
export interface LakeEngine {
	/** One page of episodes, filtered totals and facets (section 4.1), all of one moment. */
	explore(query: ExploreQuery): Promise<ExploreResponse>;
	/** The same in an order of one's own, with a facet of the tags. */
	localExplore(query: LocalExploreQuery): Promise<LocalExploreResponse>;
	/** How a figure is distributed over the whole result of a filter. */
	histogram(query: HistogramQuery): Promise<Histogram>;
	/** The channels of the lake, the most common first, and in how many episodes each may be asked for. */
	channels(): Promise<ChannelList>;
	/** A page of the dataset listing (section 4.6), of the datasets `among` these ids where those are given. */
	datasets(query: DatasetQuery, among?: readonly string[]): Promise<DatasetListResponse>;
	/** The details of the dataset of that name or id, if the lake holds one. */
	details(nameOrId: string): Promise<DatasetDetails | undefined>;
	/** The dataset of that name, if the lake holds one. */
	dataset(name: string): Promise<HeldDataset | undefined>;
	/** The dataset of that id, if the lake holds one. */
	datasetById(datasetId: string): Promise<HeldDataset | undefined>;
	/** The totals of the whole lake. */
	totals(): Promise<LakeTotals>;
	/** Publishes an ingest's result as the dataset's next generation; publications follow one another. */
	publish(publication: Publication): Promise<Published>;
	/** Takes a dataset out; tells whether it was there. */
	remove(datasetId: string): Promise<boolean>;
	/** Shows people's decisions about recordings. */
	review(marks: readonly Mark[]): Promise<void>;
	/** Those of these episodes that the lake holds, with what tells their recordings from others. */
	recordings(episodeIds: readonly string[]): Promise<Recording[]>;
	/** The indices of a dataset's episodes that a person has rejected. */
	rejectedOf(datasetName: string): Promise<number[]>;
	/** Where an episode lies on this machine, if the lake holds it. */
	place(episodeId: string): Promise<EpisodePlace | undefined>;
	/** The ordinal that a next child of this dataset's episodes has among their children. */
	nextOrdinal(datasetName: string): Promise<number>;
	/** Ends what runs, writes everything to the disk and closes the lake; a second call waits for the first. */
	close(): Promise<void>;
}

/** Names of an engine's files in the folder of a lake. */
export type LakeFiles = {
	/** Exists once the folder holds a lake. What begins with this name is the engine's. */
	readonly database: string;
	/** A folder of what the engine writes for a while. */
	readonly temporary: string;
};

/** Section 4.6's query with its defaults filled in. */
export type DatasetQuery = z.output<typeof datasetListQuery>;

/** The declarations of a dataset that a training needs. */
export type DatasetDetails = {
	readonly dataset_id: string;
	readonly dataset_name: string;
	/** The dataset's root on this machine. */
	readonly folder: string;
	readonly subtype: string;
	/** LeRobot's codebase version. */
	readonly format: string | null;
	/** Keys of the image features. */
	readonly cameras: readonly string[];
	readonly fps: number | null;
	readonly robot_type: string | null;
	readonly features: Readonly<
		Record<string, {readonly dtype?: string; readonly shape?: readonly number[]; readonly names?: unknown}>
	>;
};

/** A dataset of the lake by its name: whose folder has taken it. */
export type HeldDataset = Published & {dataset_id: string; dataset_name: string; folder: string};

/** The totals of the whole lake. */
export type LakeTotals = {
	datasets: number;
	episodes: Count;
	frames: Count;
	duration: number;
	/** Datasets on which a training would fail. */
	untrainable: number;
};

/** An ingest's result, ready to be published. */
export type Publication = {
	dataset_id: string;
	dataset_name: string;
	/** The dataset's root on this machine. */
	folder: string;
	/** The folder with `episodes.parquet`, `channels.parquet` and `dataset.json`, inside the lake's staging folder. */
	staging: string;
	/** People's decisions about recordings of this dataset. */
	reviews?: readonly Mark[];
	/** Keeps what its episodes begin with of what was decided about their parents; called before they are published. */
	keepMarks?: (marks: readonly Mark[]) => void;
};

/** The result of a publication (section 2.8, `finalized`). */
export type Published = {
	dataset_version_id: string;
	generation: number;
	episode_count: number;
	total_frames: bigint;
	/** Episodes that are new, recorded anew or gone since the generation before; null where there is none to compare. */
	changed_episodes: number | null;
	/** Other changes of episodes that are the same recording; null with it. */
	other_changes: OtherChanges | null;
};

/** A recording, and what was decided of it. */
export type Mark = {
	readonly datasetName: string;
	readonly revision: string;
	readonly episodeIndex: number;
	readonly state: string;
};

/** An episode with what tells its recording from others. */
export type Recording = {
	readonly episode_id: string;
	readonly dataset_id: string;
	readonly dataset_name: string;
	readonly episode_index: number;
	/** 64 hex digits. */
	readonly revision: string;
	readonly review_state: string;
};

/** Where an episode lies on this machine, and what it is beside. */
export type EpisodePlace = {
	readonly episode_id: string;
	readonly dataset_name: string;
	readonly dataset_version_id: string;
	/** The dataset's root. */
	readonly folder: string;
	readonly episode_index: number;
	/** 64 hex digits. */
	readonly revision: string;
	readonly task: string | null;
	readonly siblings: readonly SiblingGroup[];
};

/** Why the lake cannot do what was asked of it. */
export type LakeErrorReason =
	| 'locked'
	| 'newer'
	| 'older'
	| 'not-a-lake'
	| 'denied'
	| 'full'
	| 'staging'
	| 'conflict'
	| 'cursor'
	| 'closed'
	| 'failed';

/** A failure of the lake, said in a sentence that names the file and the way out. */
export class LakeError extends Error {
	override readonly name = 'LakeError';
	readonly reason: LakeErrorReason;

	constructor(reason: LakeErrorReason, message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}
