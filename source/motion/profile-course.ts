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
