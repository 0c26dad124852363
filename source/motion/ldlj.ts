import {defined} from './defined.ts';

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
