import type {Bucketed} from '../../contract/local-series.ts';
import {locate} from '../../lerobot/layout.ts';
import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';
import {parquetDamage, type ReadDatabase} from '../../lerobot/read-database.ts';
import {progressName, type RewardModel, rewardModels} from '../../lerobot/read-reward-progress.ts';
import {quotedString} from '../../lerobot/sql.ts';
import {pauseSpans} from '../../motion/pauses.ts';
import {percentiles} from '../../motion/percentiles.ts';
import {speedProfile} from '../../motion/speed-jerk.ts';
import type {StreamPlan} from '../ingest/stream-plan.ts';
import {type ReadSeries, SeriesRefusal, type WantedSeries} from './series-messages.ts';

/** A series without what lies beside the dataset. */
export type Drawn = Pick<
	ReadSeries,
	'frames' | 'fps' | 'seconds' | 'from' | 'until' | 'width' | 'available' | 'channels' | 'speed' | 'pauses'
>;

/** Pauses that are told one by one. */
const mostPauses = 500;

/** One channel of an episode: every `dims`-th value from `offset` on. */
type Strand = {
	readonly stream: string;
	readonly channel: string;
	readonly values: Float32Array | Float64Array;
	readonly offset: number;
	readonly dims: number;
};

/** Sums an episode up in buckets. */
export function drawSeries(
	frames: EpisodeFrames,
	plan: StreamPlan,
	fps: number,
	{channels, width, ...wantedFrames}: WantedSeries,
): Drawn {
	const strands = strandsOf(frames, plan);
	const available = [...strands.keys()];
	const wanted = channels ?? available.filter(name => strands.get(name)?.stream === 'action');
	const shown = shownFrames(frames.frames, wantedFrames);
	const {from, until} = shown;
	const buckets = Math.min(width, until - from);
	return {
		frames: frames.frames,
		fps,
		seconds: frames.frames / fps,
		from,
		until,
		width: buckets,
		available,
		channels: wanted.map(name => {
			const strand = strands.get(name);
			if (!strand) throw unknownChannel(name, available);
			const {stream, channel, values, offset, dims} = strand;
			const within = values.subarray(from * dims, until * dims);
			return {
				stream,
				channel,
				...bucketsOf(within, buckets, offset, dims),
				...extremesOf(values, offset, dims),
			};
		}),
		...speedOf(frames, plan, fps, {...shown, buckets}),
	};
}

/** The frames that are drawn: at least one, and none that is not there. */
function shownFrames(
	frames: number,
	{from = 0, until = frames}: {from?: number | undefined; until?: number | undefined},
): {readonly from: number; readonly until: number} {
	const first = Math.max(0, Math.min(from, frames - 1));
	return {from: first, until: Math.max(first + 1, Math.min(until, frames))};
}

function strandsOf({signals}: EpisodeFrames, {wanted, channels}: StreamPlan): Map<string, Strand> {
	const strands = new Map<string, Strand>();
	let place = 0;
	for (const [at, {feature, stream}] of wanted.entries()) {
		const values = signals[at];
		for (let offset = 0; offset < feature.dims; offset++) {
			const channel = channels[place++]?.name;
			if (!values || channel === undefined) continue;
			strands.set(`${stream}.${channel}`, {stream, channel, values, offset, dims: feature.dims});
		}
	}
	return strands;
}

function unknownChannel(name: string, available: readonly string[]): SeriesRefusal {
	const known = available.slice(0, 40).join(', ');
	const more = available.length > 40 ? ` and ${available.length - 40} more` : '';
	return new SeriesRefusal(
		'channel',
		`The episode has no channel ${JSON.stringify(name.slice(0, 200))}. It has ${known || 'none'}${more}.`,
	);
}

function speedOf(
	{signals}: EpisodeFrames,
	{wanted}: StreamPlan,
	fps: number,
	{from, until, buckets}: {from: number; until: number; buckets: number},
): Pick<Drawn, 'speed' | 'pauses'> {
	const place = wanted.findIndex(({stream}) => stream === 'action');
	const values = signals[place];
	const dims = wanted[place]?.feature.dims;
	if (!values || !dims || values.length < 2 * dims) return {speed: null, pauses: []};
	const profile = speedProfile(values, dims, fps);
	const [p95 = Number.NaN] = percentiles(profile, [0.95]);
	// There is a speed less than there are frames: a frame has the one that led to it, the first that of the second.
	const within = profile.subarray(Math.max(0, from - 1), Math.max(1, until - 1));
	return {
		speed: bucketsOf(within, buckets),
		pauses: pauseSpans(profile, p95, fps)
			.slice(0, mostPauses)
			.map(({from, until}) => ({from: from / fps, to: until / fps})),
	};
}

/**
 * The progress that reward models gave an episode's frames, each under the model's name, as far as it lies beside the
 * dataset. The ingest reports a problem of such a file, which does not prevent the drawing.
 */
export async function readProgress(
	database: ReadDatabase,
	root: string,
	episode: number,
	part: {from: number; until: number; width: number},
): Promise<Pick<ReadSeries, 'progress' | 'progress_of'>> {
	const found = [];
	for (const model of rewardModels) {
		const heads = await progressOf(database, root, {model, episode}, part);
		if (heads !== null) found.push({model, ...heads});
	}
	const [first] = found;
	return {
		progress: first === undefined ? null : {sparse: first.sparse, dense: first.dense},
		progress_of: found,
	};
}

type Heads = Readonly<Partial<Record<'sparse' | 'dense', Bucketed>>>;

async function progressOf(
	database: ReadDatabase,
	root: string,
	{model, episode}: {model: RewardModel; episode: number},
	{from, until, width}: {from: number; until: number; width: number},
): Promise<Heads | null> {
	const located = await locate(root, progressName(model));
	if (!located.found) return null;
	try {
		if ((await parquetDamage(located.path)) !== null) return null;
		const present = await database.columnsOf(located.path);
		const heads = (['sparse', 'dense'] as const).filter(head => present.has(`progress_${head}`));
		const columns = heads.map(head => `progress_${head}::DOUBLE AS ${head}`).join(', ');
		const read = await database.query(
			`SELECT ${columns} FROM read_parquet(${quotedString(located.path)}) WHERE episode_index = ${Math.trunc(episode)} ORDER BY frame_index`,
		);
		if (read.currentRowCount === 0) return null;
		const rows = read.getColumnsJS() as (number | null)[][];
		return Object.fromEntries(
			heads.map((head, column) => [
				head,
				bucketsOf(
					(rows[column] ?? []).slice(from, until).map(value => value ?? Number.NaN),
					width,
				),
			]),
		);
	} catch {
		return null;
	}
}

/** Digits of a value that is drawn: a terminal shows two or three of them. */
const digits = 4;

/** The least and the greatest value of each of `width` parts. */
function bucketsOf(values: ArrayLike<number>, width: number, offset = 0, step = 1): Bucketed {
	const count = Math.floor((values.length - offset + step - 1) / step);
	const min: (number | null)[] = [];
	const max: (number | null)[] = [];
	for (let bucket = 0; bucket < width; bucket++) {
		const from = Math.floor((bucket * count) / width);
		// A profile has a value less than there are frames: where buckets are frames the last looks back.
		const until = Math.max(from + 1, Math.floor(((bucket + 1) * count) / width));
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let at = Math.min(from, count - 1); at >= 0 && at < until && at < count; at++) {
			const value = values[offset + at * step] as number;
			if (value < low) low = value;
			if (value > high) high = value;
		}
		min.push(shortened(low));
		max.push(shortened(high));
	}
	return {min, max};
}

/** The least and the greatest value of all. */
function extremesOf(
	values: ArrayLike<number>,
	offset = 0,
	step = 1,
): {low: number | null; high: number | null} {
	const {min, max} = bucketsOf(values, 1, offset, step);
	return {low: min[0] ?? null, high: max[0] ?? null};
}

/** @returns null for what is no finite number */
function shortened(value: number): number | null {
	return Number.isFinite(value) ? Number(value.toPrecision(digits)) : null;
}
