import {paddedLength, paddedPower} from './padded-spectrum.ts';
import {defined} from './speed-jerk.ts';

/** From this frequency on, in Hz, power counts as high. */
const highFrequency = 5;

/**
 * Beyond this share of mean² to variance the leakage of the mean would drown what is left, and the spectrum is
 * taken anew without it.
 */
const greatestMeanShare = 1e4;

/**
 * `psd_hf_ratio`: the share of a speed profile's power at 5 Hz and above, the mean excluded, by the periodogram
 * of its own length N (bins fps / N apart).
 *
 * Its bins fall between those of the padded spectrum that SPARC needs anyway. Power is a trigonometric
 * polynomial, there sampled at least sixteen times as densely as it bends: twelve neighbours give it anywhere to
 * some twelve digits, and at multiples of fps / N the mean leaves no trace. Only the bins below 5 Hz are read;
 * Parseval's theorem has the total.
 *
 * @returns null where the speed is constant, and where fps is too low to see 5 Hz.
 */
export function highFrequencyRatio(
	profile: Float64Array,
	fps: number,
	spectrum: SpeedSpectrum,
): number | null {
	if (fps < 2 * highFrequency) return null;
	const samples = profile.length;
	let sum = 0;
	for (let t = 0; t < samples; t++) sum += profile[t] as number;
	const mean = sum / samples;
	let variance = 0;
	for (let t = 0; t < samples; t++) variance += ((profile[t] as number) - mean) ** 2 / samples;
	// Rounding alone leaves this much of a constant.
	if (!(variance > mean * mean * 1e-28)) return null;
	const power =
		mean * mean > greatestMeanShare * variance
			? paddedPower(
					profile.map(speed => speed - mean),
					spectrum.power.length - 1,
				)
			: spectrum.power;
	const binsPerCycle = spectrum.length / samples;
	let low = 0;
	for (let k = 1; k * fps < highFrequency * samples; k++) {
		low += powerBetween(power, k * binsPerCycle, spectrum.length);
	}
	const total = variance * samples * samples;
	return Math.min(1, Math.max(0, 1 - (2 * low) / total));
}

const neighbours = 12;

/** Barycentric weights of twelve equidistant points: (−1)^j · C(11, j). */
const weights = [1, -11, 55, -165, 330, -462, 462, -330, 165, -55, 11, -1];

/** Lagrange's interpolation, in barycentric form, at a fractional bin. */
function powerBetween(power: Float64Array, bin: number, length: number): number {
	const floor = Math.floor(bin);
	if (bin === floor) return power[floor] as number;
	const first = floor - neighbours / 2 + 1;
	let weighed = 0;
	let weight = 0;
	for (let j = 0; j < neighbours; j++) {
		const at = first + j;
		const share = (weights[j] as number) / (bin - at);
		weighed += share * (power[mirrored(at, length)] as number);
		weight += share;
	}
	return weighed / weight;
}

/** The spectrum of a real signal is even about 0 and about half its length. */
function mirrored(bin: number, length: number): number {
	const positive = Math.abs(bin);
	return positive > length / 2 ? length - positive : positive;
}

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

/** Human and teleoperated motion has its power below this, in Hz; what is above is left out of SPARC. */
const highestFrequency = 10;

/** Bins kept beyond the highest frequency, for those who read between bins. */
const margin = 8;

/** Power of a speed profile, zero-padded, from 0 to 10 Hz or to the Nyquist frequency, whichever is lower. */
export type SpeedSpectrum = {
	/** |V|² a bin; a few bins beyond `lastBin` follow where there are any. */
	readonly power: Float64Array;
	readonly lastBin: number;
	/** Length of the padded transform; the bins are fps / length apart. */
	readonly length: number;
};

/** @returns a spectrum whose buffer the next call reuses; null with fewer than three samples. */
export function speedSpectrum(profile: Float64Array, fps: number): SpeedSpectrum | null {
	if (profile.length < 3) return null;
	const length = paddedLength(profile.length);
	const lastBin = Math.min(length / 2, Math.floor((highestFrequency * length) / fps));
	return {power: paddedPower(profile, Math.min(length / 2, lastBin + margin)), lastBin, length};
}
