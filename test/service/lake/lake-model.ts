/** A lake as plain data: what a test publishes, and what the oracle answers from. */

export type ModelChannel = {
	stream: 'action' | 'state' | 'telemetry';
	channel: string;
	native_channel: string;
	native_index: number;
	max: number;
	min: number;
	mean: number;
	std: number;
};

export type ModelEpisode = {
	episode_index: number;
	episode_id: string;
	revision: string;
	task: string | null;
	tier: string | null;
	frame_count: bigint;
	duration_s: number;
	quality_score: number | null;
	review_state: string;
	marker_signature: string | null;
	tags: string[];
	parent_dataset: string | null;
	parent_episode_index: number | null;
	member_ordinal: bigint | null;
	/** The remaining numeric fields, and the doubt; one that is absent is null. */
	numbers: Partial<Record<string, number>>;
	details: string | null;
	channels: ModelChannel[];
};

export type ModelDataset = {
	dataset_id: string;
	dataset_name: string;
	interface_hash: string | null;
	/** By default that of an SO-101. */
	robot_type?: string | null;
	episodes: ModelEpisode[];
};

const plainEpisode: ModelEpisode = {
	episode_index: 0,
	episode_id: '',
	revision: 'ab'.repeat(32),
	task: 'fold the towel',
	tier: 'retrainable',
	frame_count: 300n,
	duration_s: 10,
	quality_score: null,
	review_state: 'unreviewed',
	marker_signature: null,
	tags: [],
	parent_dataset: null,
	parent_episode_index: null,
	member_ordinal: null,
	numbers: {},
	details: null,
	channels: [],
};

/** A UUID that a test can recognise: `number` in its last digits, `family` in its first. */
export function uuidOf(family: number, number: number): string {
	return `${family.toString(16).padStart(8, '0')}-0000-5000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** An episode with nothing special about it but what is given. */
export function episode(index: number, given: Partial<ModelEpisode> = {}): ModelEpisode {
	return {...plainEpisode, episode_index: index, episode_id: uuidOf(0xe, index), ...given};
}

/** A dataset of the given episodes; its id follows from its name. */
export function dataset(
	name: string,
	episodes: ModelEpisode[],
	interface_hash: string | null = 'so101_follower-30hz-3f9a',
): ModelDataset {
	const number = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 2 ** 32, 7);
	return {dataset_id: uuidOf(0xd, number), dataset_name: name, interface_hash, episodes};
}
