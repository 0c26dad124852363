import {defined} from './defined.ts';

/**
 * The speed profile v_t = ‖a_t − a_{t−1}‖₂ · fps, in the robot's own units a second: one value a frame from the
 * second frame on.
 */
export function speedProfile(values: Float32Array | Float64Array, dims: number, fps: number): Float64Array {
	const frames = values.length / dims;
	const profile = new Float64Array(Math.max(0, frames - 1));
	for (let t = 0, now = dims; t < profile.length; t++) {
		let squares = 0;
		for (const end = now + dims; now < end; now++) {
			const step = (values[now] as number) - (values[now - dims] as number);
			squares += step * step;
		}
		profile[t] = Math.sqrt(squares) * fps;
	}
	return profile;
}

/** @returns null where there is no second frame. */
export function meanSpeed(profile: Float64Array): number | null {
	let sum = 0;
	for (let t = 0; t < profile.length; t++) sum += profile[t] as number;
	return defined(sum / profile.length);
}
