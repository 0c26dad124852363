import {defined} from './defined.ts';

/** `dt_jitter_ms`: standard deviation of Δtimestamp in ms; `dt_dropped_frames`: Σ max(0, round(Δtimestamp · fps) − 1). */
export type Timing = {readonly jitterMs: number | null; readonly droppedFrames: number | null};

/** @param timestamps seconds, one a frame. Both figures are null with fewer than two frames. */
export function measureTiming(timestamps: Float64Array, fps: number): Timing {
	const steps = timestamps.length - 1;
	if (steps < 1) return {jitterMs: null, droppedFrames: null};
	const mean = ((timestamps[steps] as number) - (timestamps[0] as number)) / steps;
	let squares = 0;
	let dropped = 0;
	for (let t = 1; t <= steps; t++) {
		const step = (timestamps[t] as number) - (timestamps[t - 1] as number);
		squares += (step - mean) ** 2;
		if (step * fps >= 1.5) dropped += Math.round(step * fps) - 1;
	}
	return {
		jitterMs: defined(Math.sqrt(squares / steps) * 1000),
		droppedFrames: Number.isFinite(squares) ? dropped : null,
	};
}
