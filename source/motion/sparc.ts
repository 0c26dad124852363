import {defined} from './defined.ts';
import type {SpeedSpectrum} from './speed-spectrum.ts';

/** Share of the spectrum's maximum below which its ends are cut off. */
const amplitudeThreshold = 0.05;

/**
 * Spectral arc length (Balasubramanian et al., "A robust and sensitive metric for quantifying movement
 * smoothness", 2012): −Σ √((Δf / (f_K − f_0))² + (ΔM)²) over the bins from the first to the last whose magnitude
 * reaches 5 % of the maximum. Nearer to 0 is smoother.
 *
 * @returns null without motion, and where a single bin is left.
 */
export function spectralArcLength({power, lastBin}: SpeedSpectrum): number | null {
	// A speed is nowhere negative, so no bin exceeds the one at 0 Hz.
	const greatest = power[0] as number;
	if (!(greatest > 0)) return null;
	const threshold = amplitudeThreshold ** 2 * greatest;
	let last = lastBin;
	while (last > 0 && (power[last] as number) < threshold) last--;
	if (last === 0) return null;
	const step = (1 / last) ** 2;
	const scale = 1 / Math.sqrt(greatest);
	let before = 1;
	let length = 0;
	for (let bin = 1; bin <= last; bin++) {
		const magnitude = Math.sqrt(power[bin] as number) * scale;
		const gap = magnitude - before;
		length += Math.sqrt(step + gap * gap);
		before = magnitude;
	}
	return defined(-length);
}
