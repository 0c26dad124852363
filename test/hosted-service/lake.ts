import {createHash} from 'node:crypto';
import {Dictionary} from './dictionary.ts';
import {identity} from './identity.ts';

/** The numeric predicate fields of section 4.1 that are not fields of the episode themselves. */
export const measuredFields = [
	'speed_mean',
	'jerk_mean',
	'frozen_action_dims',
	'action_dims',
	'frozen_state_dims',
	'state_dims',
	'sync_skew_max_ms',
	'sync_skew_ratio',
	'sparc',
	'ldlj',
	'psd_hf_ratio',
	'speed_p10',
	'speed_p50',
	'speed_p90',
	'pause_fraction',
	'pause_count',
	'dt_jitter_ms',
	'dt_dropped_frames',
] as const;

export const numericFields = ['duration_s', 'frame_count', 'quality_score', ...measuredFields] as const;

export type MeasuredField = (typeof measuredFields)[number];
export type NumericField = (typeof numericFields)[number];
export type Stream = 'action' | 'state' | 'telemetry';
export type Aggregate = 'max' | 'min' | 'mean' | 'std';
export type Tier = 'retrainable' | 'analyze_only';
export type ReviewState = 'unreviewed' | 'auto_accepted' | 'human_audited' | 'rejected';

/** Statistics of one channel in one episode. */
export type ChannelStatistics = {
	stream: Stream;
	channel: string;
	native_channel: string;
	native_index: number;
} & Record<Aggregate, number>;

/** An episode as a test describes it; what is left out is absent or null in the lake. */
export type EpisodeSeed = {
	dataset_name: string;
	episode_index: number;
	frame_count: number | bigint;
	duration_seconds: number;
	task?: string | null;
	tier?: Tier | null;
	quality_score?: number | null;
	interface_hash?: string | null;
	tags?: readonly string[];
	review_state?: ReviewState;
	/** Absent or null: the episode counts as unknown among the marker signatures. */
	marker_signature?: string | null;
	parent?: {dataset_name: string; episode_index: number};
	member_ordinal?: number | bigint;
	measured?: Partial<Record<MeasuredField, number | null>>;
	/** Free-form metrics shown besides the measured ones. */
	metrics?: Record<string, unknown>;
	thumb_url?: string;
	channels?: readonly ChannelStatistics[];
};

/** Finds a channel of the episode at a row. */
export type ChannelBook = (row: number, stream: Stream, channel: string) => ChannelStatistics | undefined;

type Extra = Pick<EpisodeSeed, 'parent' | 'member_ordinal' | 'metrics' | 'thumb_url'>;

/** The lake by columns: `codes` refer to a dictionary, NaN stands for null among the numbers. */
export class Lake {
	readonly size: number;
	readonly datasets = new Dictionary();
	readonly tasks = new Dictionary();
	readonly tiers = new Dictionary();
	readonly interfaces = new Dictionary();
	readonly markers = new Dictionary();
	readonly reviews = new Dictionary();
	readonly columns: Record<
		'dataset' | 'task' | 'tier' | 'interface' | 'marker' | 'review' | 'parent',
		Int32Array
	>;
	readonly index: Float64Array;
	readonly tags: Array<readonly string[]> = [];
	readonly numbers: Record<NumericField, Float64Array>;
	/** Frame counts no double can hold. */
	readonly exactFrames = new Map<number, bigint>();
	readonly #extras = new Map<number, Extra>();
	readonly #channels: ChannelBook;
	readonly #channelColumns = new Map<string, Float64Array>();

	constructor(size: number, seedAt: (row: number) => EpisodeSeed, channels: ChannelBook) {
		const codes = () => new Int32Array(size).fill(-1);
		this.size = size;
		this.#channels = channels;
		this.index = new Float64Array(size);
		this.columns = {
			dataset: codes(),
			task: codes(),
			tier: codes(),
			interface: codes(),
			marker: codes(),
			review: codes(),
			parent: codes(),
		};
		this.numbers = Object.fromEntries(
			numericFields.map(field => [field, new Float64Array(size).fill(Number.NaN)]),
		) as Record<NumericField, Float64Array>;
		for (let row = 0; row < size; row++) this.#put(row, seedAt(row));
	}

	#put(row: number, seed: EpisodeSeed): void {
		const {columns, numbers} = this;
		columns.dataset[row] = this.datasets.code(seed.dataset_name);
		columns.task[row] = this.tasks.code(seed.task);
		columns.tier[row] = this.tiers.code(seed.tier);
		columns.interface[row] = this.interfaces.code(seed.interface_hash);
		columns.marker[row] = this.markers.code(seed.marker_signature);
		columns.review[row] = this.reviews.code(seed.review_state ?? 'unreviewed');
		columns.parent[row] = seed.parent?.episode_index ?? -1;
		this.index[row] = seed.episode_index;
		this.tags.push(seed.tags ?? []);
		numbers.duration_s[row] = seed.duration_seconds;
		numbers.frame_count[row] = Number(seed.frame_count);
		numbers.quality_score[row] = seed.quality_score ?? Number.NaN;
		for (const field of measuredFields) numbers[field][row] = seed.measured?.[field] ?? Number.NaN;
		if (!Number.isSafeInteger(Number(seed.frame_count))) this.exactFrames.set(row, BigInt(seed.frame_count));
		if (seed.parent || seed.member_ordinal !== undefined || seed.metrics || seed.thumb_url)
			this.#extras.set(row, seed);
	}

	channel(row: number, stream: Stream, channel: string): ChannelStatistics | undefined {
		return this.#channels(row, stream, channel);
	}

	/** One aggregate of one channel for every episode, NaN where the episode has no such channel. */
	channelColumn(stream: Stream, channel: string, aggregate: Aggregate): Float64Array {
		const key = `${stream}/${aggregate}/${channel}`;
		const known = this.#channelColumns.get(key);
		if (known) return known;
		const column = new Float64Array(this.size);
		for (let row = 0; row < this.size; row++)
			column[row] = this.#channels(row, stream, channel)?.[aggregate] ?? Number.NaN;
		this.#channelColumns.set(key, column);
		return column;
	}

	/** The episode at a row with the fields of section 2.1, and no others. */
	episode(row: number): Record<string, unknown> {
		const {columns, numbers} = this;
		const dataset = columns.dataset[row] ?? 0;
		const index = this.index[row] ?? 0;
		const extra = this.#extras.get(row);
		const id = episodeId(dataset, index);
		const parent = extra?.parent;
		const parentDataset = parent && this.datasets.find(parent.dataset_name);
		return {
			episode_id: id,
			dataset_id: datasetId(dataset),
			dataset_name: this.datasets.value(dataset),
			episode_index: index,
			task: this.tasks.value(columns.task[row]),
			tier: this.tiers.value(columns.tier[row]),
			frame_count: this.exactFrames.get(row) ?? numbers.frame_count[row],
			duration_seconds: numbers.duration_s[row],
			quality_score: orNull(numbers.quality_score[row]),
			thumb_url: extra?.thumb_url ?? null,
			interface_hash: this.interfaces.value(columns.interface[row]),
			tags: this.tags[row],
			review_state: this.reviews.value(columns.review[row]),
			metrics: {...this.#measured(row), ...extra?.metrics},
			dataset_version_id: identity('version', dataset, 1),
			parent_episode_id:
				parent && parentDataset !== undefined ? episodeId(parentDataset, parent.episode_index) : null,
			parent_episode_index: parent?.episode_index ?? null,
			member_ordinal: extra?.member_ordinal ?? null,
			episode_revision_id: createHash('sha256').update(id).digest('hex'),
		};
	}

	#measured(row: number): Record<string, number> {
		const metrics: Record<string, number> = {};
		for (const field of measuredFields) {
			const value = this.numbers[field][row] ?? Number.NaN;
			if (!Number.isNaN(value)) metrics[field] = value;
		}
		return metrics;
	}
}

/** A lake of exactly these episodes, in this order. */
export function lakeOf(seeds: readonly EpisodeSeed[]): Lake {
	const at = (row: number): EpisodeSeed => {
		const seed = seeds[row];
		if (!seed) throw new RangeError(`the lake has no episode at row ${row}`);
		return seed;
	};
	return new Lake(seeds.length, at, (row, stream, channel) =>
		seeds[row]?.channels?.find(candidate => candidate.stream === stream && candidate.channel === channel),
	);
}

export const datasetId = (dataset: number): string => identity('dataset', dataset, 0);

export const episodeId = (dataset: number, index: number): string => identity('episode', dataset, index);

function orNull(value: number | undefined): number | null {
	return value === undefined || Number.isNaN(value) ? null : value;
}
