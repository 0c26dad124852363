/** An episode of a dataset that a test writes. Everything has a sensible default. */
export type FixtureEpisode = {
	/** @default 60 */
	frames?: number;
	/** @default one task, "pick the cube" */
	tasks?: string[];
	/** The value of a dimension at a frame. @default each dimension sweeps at a speed of its own */
	action?: (frame: number, dim: number) => number;
	/** @default the action two frames ago */
	state?: (frame: number, dim: number) => number;
	/** Values of the further features, by feature. @default 0 */
	telemetry?: (feature: string, frame: number, dim: number) => number;
	/** Seconds. @default frame / fps */
	timestamp?: (frame: number) => number;
	/** What the metadata says where it is to differ. @default frames */
	length?: number;
	/** Seconds that each camera's span is longer than the episode. @default 0 */
	videoSkew?: number;
	/** Subtask markers as episode columns. */
	markers?: {family?: 'sparse' | 'dense'; names: string[]; startFrames: number[]};
	/** Subtask of each frame, as the frame column. */
	subtask?: (frame: number) => number;
	tags?: string[];
	parent?: {dataset: string; episodeIndex: number; ordinal: number};
};

export type FixtureOptions = {
	/** @default two plain episodes */
	episodes?: FixtureEpisode[];
	/** @default 30 */
	fps?: number;
	/** @default 'so101_follower' */
	robotType?: string | null;
	/** Names of the dimensions of action and state. @default six joints */
	names?: string[];
	/** @default 'action' */
	actionKey?: string;
	/** @default 'observation.state' */
	stateKey?: string;
	/** Further float32 features by their number of dimensions; 1 is a scalar column. */
	telemetry?: Record<string, number>;
	/** Keys of video features. @default none */
	cameras?: string[];
	/** Whether the episodes lie in a video one behind the other, as recorded. @default each from 1 s on */
	videosInRow?: boolean;
	/** Whether the video files are there (empty ones). @default true */
	videoFiles?: boolean;
	/** @default all in one file */
	episodesPerFile?: number;
	/** Rows a row group. @default DuckDB's own */
	rowGroupSize?: number;
	/** How tasks.parquet spells its text. @default 'task' */
	taskColumn?: 'task' | '__index_level_0__';
	/** Names of meta/subtasks.parquet, by number. */
	subtasks?: string[];
};

export const jointNames = [
	'shoulder_pan.pos',
	'shoulder_lift.pos',
	'elbow_flex.pos',
	'wrist_flex.pos',
	'wrist_roll.pos',
	'gripper.pos',
];
