import type {StreamProfile} from './profile.ts';
import {quantile, scatterOf, sortedFinite} from './robust.ts';

/** The scale of each channel, and which are idle in the task. */
export type Scales = {
	readonly scale: Float64Array;
	readonly isIdle: readonly boolean[];
	/** How much of a channel's variation the phase of the task tells. */
	readonly told: Float64Array;
};

/** Below this share told by the phase, and this share of what most channels span, a channel is idle. */
const leastTold = 0.25;
const leastSpan = 0.25;

/**
 * The scale of each channel: the range that 90 % of the siblings stay within. One that neither follows the phase
 * nor moves much is idle; it is measured by a quarter of what the others span, so that its tremor accuses nothing.
 */
export function scalesOf(sample: readonly (StreamProfile | null)[], dims: number, parts: number): Scales {
	const spans = new Float64Array(dims);
	const told = new Float64Array(dims);
	const known = sample.filter(each => each !== null);
	const pooled = new Float64Array(known.length * Math.ceil(parts / 4));
	const column = new Float64Array(known.length);
	for (let channel = 0; channel < dims; channel++) {
		let taken = 0;
		const middles: number[] = [];
		const variances: number[] = [];
		for (let part = 0; part < parts; part += 4) {
			for (let at = 0; at < known.length; at++) {
				const value = known[at]?.course[part * dims + channel] as number;
				pooled[taken++] = value;
				column[at] = value;
			}
			const {median, above, below} = scatterOf(column);
			middles.push(median);
			variances.push(((above + below) / 2) ** 2);
		}
		const sorted = sortedFinite(pooled.subarray(0, taken));
		spans[channel] = quantile(sorted, 0.95) - quantile(sorted, 0.05);
		const mean = middles.reduce((sum, value) => sum + value, 0) / middles.length;
		const between = middles.reduce((sum, value) => sum + (value - mean) ** 2, 0) / middles.length;
		const within = quantile(sortedFinite(variances), 0.5);
		told[channel] = between / (between + within || 1);
	}
	const usual = quantile(sortedFinite(spans), 0.75) || 0;
	const isIdle = Array.from(
		spans,
		(span, channel) => (told[channel] as number) < leastTold && span < leastSpan * usual,
	);
	const scale = spans.map((span, channel) =>
		Math.max(span || 0, (isIdle[channel] ? leastSpan : 0.01) * usual, 1e-9),
	);
	return {scale, isIdle, told};
}
