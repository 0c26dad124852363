import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';
import {pauseSpans} from '../../motion/pauses.ts';
import {percentiles} from '../../motion/percentiles.ts';
import {speedProfile} from '../../motion/speed.ts';
import type {StreamPlan} from '../ingest/stream-plan.ts';
import {bucketsOf, extremesOf} from './buckets.ts';
import type {ReadSeries, WantedSeries} from './series-messages.ts';
import {SeriesRefusal} from './series-refusal.ts';

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
