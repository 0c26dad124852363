import {paddedLength, paddedPower} from './padded-spectrum.ts';

/** Human and teleoperated motion has its power below this, in Hz; what is above is left out of SPARC. */
const highestFrequency = 10;

/** Bins kept beyond the highest frequency, for those who read between bins. */
export const margin = 8;

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
