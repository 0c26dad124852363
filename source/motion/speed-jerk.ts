/**
 * Mean ‖Δ³a‖₂ · fps³, in the robot's own units.
 *
 * @returns null with fewer than four frames.
 */
export function meanJerk(values: Float32Array | Float64Array, dims: number, fps: number): number | null {
	const differences = values.length / dims - 3;
	let sum = 0;
	for (let t = 0, now = 3 * dims; t < differences; t++) {
		let squares = 0;
		for (const end = now + dims; now < end; now++) {
			const outer = (values[now] as number) - (values[now - 3 * dims] as number);
			const inner = (values[now - dims] as number) - (values[now - 2 * dims] as number);
			const third = outer - 3 * inner;
			squares += third * third;
		}
		sum += Math.sqrt(squares);
	}
	return differences < 1 ? null : defined((sum / differences) * fps ** 3);
}

/**
 * Log dimensionless jerk of a speed profile: −ln │(T³ / v_peak²) · Σ (v̈²) · dt│ with T = N · dt
 * (Balasubramanian et al., "On the analysis of movement smoothness", 2015). Nearer to 0 is smoother.
 *
 * @returns null with fewer than three samples, without motion, and where the speed never bends.
 */
export function logDimensionlessJerk(profile: Float64Array): number | null {
	const samples = profile.length;
	if (samples < 3) return null;
	let peak = Math.max(profile[0] as number, profile[1] as number);
	let squares = 0;
	for (let t = 2; t < samples; t++) {
		const v = profile[t] as number;
		const bend = v - 2 * (profile[t - 1] as number) + (profile[t - 2] as number);
		squares += bend * bend;
		if (v > peak) peak = v;
	}
	// dt falls out: v̈² · dt carries fps⁴ / fps, T³ carries N³ / fps³.
	return defined(-Math.log((samples ** 3 / peak ** 2) * squares));
}

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

/** Parts that a speed profile is summed up in, to set those of episodes of different lengths side by side. */
export const courseParts = 48;

/**
 * The course of a speed profile: its mean in each of 48 parts of equal length, in the profile's unit.
 *
 * @returns null where there are fewer speeds than parts
 */
export function profileCourse(profile: Float64Array): Float32Array | null {
	if (profile.length < courseParts) return null;
	return Float32Array.from({length: courseParts}, (_, part) => {
		const from = Math.floor((part * profile.length) / courseParts);
		const until = Math.floor(((part + 1) * profile.length) / courseParts);
		let sum = 0;
		for (let t = from; t < until; t++) sum += profile[t] as number;
		return sum / (until - from);
	});
}

/** @returns the value where it is a number one can compare, null where it is undefined. */
export function defined(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}
