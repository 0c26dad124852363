import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';
import {pauseSpans} from '../../motion/pauses.ts';
import {percentiles} from '../../motion/percentiles.ts';
import {speedProfile} from '../../motion/speed.ts';
import type {StreamPlan} from '../ingest/stream-plan.ts';
import {bucketsOf, shortened} from './buckets.ts';
import type {ReadSeries, SeriesRequest} from './series-messages.ts';
import {SeriesRefusal} from './series-refusal.ts';

/** A series without what lies beside the dataset. */
export type Drawn = Pick<
	ReadSeries,
	'frames' | 'fps' | 'seconds' | 'width' | 'available' | 'channels' | 'speed' | 'pauses'
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
	{channels, width}: Pick<SeriesRequest, 'channels' | 'width'>,
): Drawn {
	const strands = strandsOf(frames, plan);
	const available = [...strands.keys()];
	const wanted = channels ?? available.filter(name => strands.get(name)?.stream === 'action');
	const buckets = Math.min(width, frames.frames);
	return {
		frames: frames.frames,
		fps,
		seconds: frames.frames / fps,
		width: buckets,
		available,
		channels: wanted.map(name => {
			const strand = strands.get(name);
			if (!strand) throw unknownChannel(name, available);
			const {stream, channel, values, offset, dims} = strand;
			const drawn = bucketsOf(values, buckets, offset, dims);
			return {stream, channel, ...drawn, ...extremes(drawn)};
		}),
		...speedOf(frames, plan, fps, buckets),
	};
}

function extremes({min, max}: ReturnType<typeof bucketsOf>) {
	const known = (values: readonly (number | null)[]) => values.filter(value => value !== null);
	return {low: shortened(Math.min(...known(min))), high: shortened(Math.max(...known(max)))};
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
	width: number,
): Pick<Drawn, 'speed' | 'pauses'> {
	const place = wanted.findIndex(({stream}) => stream === 'action');
	const values = signals[place];
	const dims = wanted[place]?.feature.dims;
	if (!values || !dims || values.length < 2 * dims) return {speed: null, pauses: []};
	const profile = speedProfile(values, dims, fps);
	const [p95 = Number.NaN] = percentiles(profile, [0.95]);
	return {
		speed: bucketsOf(profile, width),
		pauses: pauseSpans(profile, p95, fps)
			.slice(0, mostPauses)
			.map(({from, until}) => ({from: from / fps, to: until / fps})),
	};
}
