import type {Signal} from './channel-aggregates.ts';

/** Seconds at either end over which a pose is averaged: an encoder's single reading is noisy. */
const span = 0.1;

/** Where an episode begins and ends: one value a dimension, in the robot's own units; NaN where it is not known. */
export type EndPoses = {readonly start: Float64Array; readonly end: Float64Array};

export function endPoses({values, dims}: Signal, fps: number): EndPoses {
	const frames = values.length / dims;
	const taken = Math.min(frames, Math.max(1, Math.round(span * fps)));
	return {start: meanPose(values, dims, 0, taken), end: meanPose(values, dims, frames - taken, taken)};
}

function meanPose(
	values: Float32Array | Float64Array,
	dims: number,
	from: number,
	count: number,
): Float64Array {
	return Float64Array.from({length: dims}, (_, dim) => {
		let sum = 0;
		for (let frame = from; frame < from + count; frame++) sum += values[frame * dims + dim] as number;
		return sum / count;
	});
}
