import {defined} from './speed-jerk.ts';

/** `dt_jitter_ms`: standard deviation of Δtimestamp in ms; `dt_dropped_frames`: Σ max(0, round(Δtimestamp · fps) − 1). */
type Timing = {
	readonly jitterMs: number | null;
	readonly droppedFrames: number | null;
	/** Where most frames are dropped at once, as a share of the episode. */
	readonly droppedAt?: number;
};

/** @param timestamps seconds, one a frame. Both figures are null with fewer than two frames. */
export function measureTiming(timestamps: Float64Array, fps: number): Timing {
	const steps = timestamps.length - 1;
	if (steps < 1) return {jitterMs: null, droppedFrames: null};
	const mean = ((timestamps[steps] as number) - (timestamps[0] as number)) / steps;
	let squares = 0;
	let dropped = 0;
	let most = 0;
	let at = 0;
	for (let t = 1; t <= steps; t++) {
		const step = (timestamps[t] as number) - (timestamps[t - 1] as number);
		squares += (step - mean) ** 2;
		if (step * fps < 1.5) continue;
		dropped += Math.round(step * fps) - 1;
		if (step > most) {
			most = step;
			at = t;
		}
	}
	return {
		jitterMs: defined(Math.sqrt(squares / steps) * 1000),
		droppedFrames: Number.isFinite(squares) ? dropped : null,
		...(at > 0 && {droppedAt: at / steps}),
	};
}

/** The rounding error of subtracted times, in ms: no camera is timed that finely. */
const noise = 1e-6;

/** The stretch of a camera's video that is an episode's, in seconds. */
export type CameraSpan = {readonly from: number; readonly to: number};

/**
 * `sync_skew_max_ms`: the greatest difference, over the cameras, between the length of the camera's span and that
 * of the episode.
 *
 * @param duration the episode's, in seconds.
 * @returns null without cameras.
 */
export function greatestSyncSkewMs(spans: readonly CameraSpan[], duration: number): number | null {
	let greatest = -1;
	for (const {from, to} of spans) {
		const skew = Math.abs(to - from - duration) * 1000;
		if (skew > greatest) greatest = skew;
	}
	if (greatest < 0) return null;
	return greatest < noise ? 0 : greatest;
}
