import {paddedPower} from './padded-spectrum.ts';
import type {SpeedSpectrum} from './speed-spectrum.ts';

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
