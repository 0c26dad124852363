import * as z from 'zod';
import {episodeFrame} from '../../contract/local-frames.ts';
import {bucketed, episodeSeries} from '../../contract/local-series.ts';

const ofEpisode = z.strictObject({
	number: z.int(),
	/** The dataset's root. */
	folder: z.string(),
	episode_index: z.int(),
	/** The episode's revision when it was ingested. */
	revision: z.string(),
	/** A folder of the process's own. */
	scratch: z.string(),
});

const wantedSeries = z.lazy(() =>
	z.strictObject({
		/** Undefined: those of the action. */
		channels: z.array(z.string()).optional(),
		width: z.int(),
		/** Frames, `until` not among them; undefined: all. */
		from: z.int().optional(),
		until: z.int().optional(),
	}),
);

const wantedFrame = z.lazy(() =>
	z.strictObject({
		camera: z.string().optional(),
		which: z.enum(['first', 'last']),
		side: z.int(),
	}),
);

/** Requests to the process that reads series, one JSON line each: an episode over time, or a picture of it. */
export const seriesRequest = z.lazy(() =>
	z.union([ofEpisode.extend({series: wantedSeries}), ofEpisode.extend({frame: wantedFrame})]),
);
/** The part that says which episode. */
export type OfEpisode = z.output<typeof ofEpisode>;
export type WantedSeries = z.output<typeof wantedSeries>;
export type Wanted = {readonly series: WantedSeries} | {readonly frame: z.output<typeof wantedFrame>};
/** A request before it is numbered. */
export type Unnumbered = Omit<OfEpisode, 'number'> & Wanted;

/** Why there is none. */
const seriesRefusals = ['gone', 'changed', 'unreadable', 'channel'] as const;

/** Its answers, one JSON line each. */
export const seriesReply = z.lazy(() =>
	z.discriminatedUnion('type', [
		z.object({
			type: z.literal('series'),
			number: z.int(),
			series: episodeSeries
				.unwrap()
				.pick({
					frames: true,
					fps: true,
					seconds: true,
					from: true,
					until: true,
					width: true,
					channels: true,
					available: true,
					pauses: true,
					markers: true,
					progress: true,
					progress_of: true,
				})
				.extend({speed: bucketed.nullable()}),
		}),
		z.object({
			type: z.literal('frame'),
			number: z.int(),
			frame: episodeFrame.unwrap().omit({episode_id: true}),
		}),
		z.object({
			type: z.literal('refused'),
			number: z.int(),
			reason: z.enum(seriesRefusals),
			message: z.string(),
		}),
	]),
);
export type SeriesReply = z.output<typeof seriesReply>;
export type ReadSeries = Extract<SeriesReply, {type: 'series'}>['series'];

export type ReadFrame = Extract<SeriesReply, {type: 'frame'}>['frame'];

/** The longest answer that is read: 256 channels of 2,000 buckets each would be longer. */
export const longestReply = 8 * 1024 * 1024;

/** Why an episode's series cannot be had, in a sentence. */
export class SeriesRefusal extends Error {
	override readonly name = 'SeriesRefusal';
	readonly reason: (typeof seriesRefusals)[number];

	constructor(reason: SeriesRefusal['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}
