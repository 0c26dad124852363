import type {DeviationKind, DeviationsByKind} from '../../motion/deviations.ts';
import {coreScatterOf, quantile, sortedFinite, tailedScatterOf} from '../../motion/robust.ts';
import {type Thresholds, usualThresholds} from './traits.ts';

/** Deviations below so many spreads are all one: every episode has some. */
const unremarkable = 1.5;

/** The least scatter of a deviation's logarithm: a seventh more or less says nothing, however alike the siblings are. */
const leastScatter = 0.15;

/** The oddness from which an episode is suspect. */
export const suspectFrom = 6;

/** The demand grows by this, divided by the number of siblings. */
const fewPenalty = 5;

/** With fewer episodes than this the length of an episode is not taken out. */
const fewestForLength = 24;

/** Figures of which less than the siblings' is no fault. */
const onlyMore = new Set<DeviationKind>([
	'pause',
	'dropped-frames',
	'camera-skew',
	'action-jump',
	'state-jump',
	'action-spike',
	'state-spike',
	'action-held',
	'state-held',
	'rest',
]);

/** Figures of a whole episode; the others are of a channel. */
const ofTheWhole = new Set<DeviationKind>(['duration', 'pause', 'dropped-frames', 'camera-skew']);

/** How odd each episode of a group is in each way, comparable over the ways, and on the whole. */
export type Oddness = {
	readonly byKind: ReadonlyMap<DeviationKind, Float64Array>;
	/** (Σ odd³)^⅓ over the ways. */
	readonly whole: Float64Array;
};

/**
 * Makes deviations comparable: what counts is how far the logarithm of a deviation is beyond those of the siblings, in
 * their scatter, after what an episode's length does to it is taken out. A figure that scatters widely among the siblings
 * needs to be farther out.
 */
export function oddnessOf(
	deviations: DeviationsByKind,
	seconds: readonly number[],
	thresholds: Thresholds,
): Oddness {
	const count = seconds.length;
	const cubes = new Float64Array(count);
	const byKind = new Map<DeviationKind, Float64Array>();
	const lengths = Float64Array.from(seconds, Math.log);
	// A few siblings tell less of what is usual.
	const few = 1 + fewPenalty / count;
	for (const [kind, {size, value, usual, isOfFollowing}] of deviations) {
		const levels = Float64Array.from(size, (each, at) => {
			const counts = !onlyMore.has(kind) || (value[at] as number) > (usual[at] as number);
			return Math.log(counts ? Math.max(each, unremarkable) : unremarkable);
		});
		if (kind !== 'duration') takeOutLength(levels, lengths);
		const {median, above} = isOfFollowing ? coreScatterOf(levels, leastScatter) : tailedScatterOf(levels);
		const demanded = ofTheWhole.has(kind)
			? thresholds.whole / usualThresholds.whole
			: thresholds.channel / usualThresholds.channel;
		const odd = levels.map(level => (level - median) / Math.max(above, leastScatter) / demanded / few);
		byKind.set(kind, odd);
		for (let at = 0; at < count; at++)
			cubes[at] = (cubes[at] as number) + Math.max(0, odd[at] as number) ** 3;
	}
	return {byKind, whole: cubes.map(Math.cbrt)};
}

/** Takes out of some levels what goes with length: Tukey's resistant line through the thirds of short and long episodes. */
function takeOutLength(levels: Float64Array, lengths: Float64Array): void {
	if (levels.length < fewestForLength) return;
	const order = [...lengths.keys()].sort((a, b) => (lengths[a] as number) - (lengths[b] as number));
	const third = Math.floor(order.length / 3);
	const middle = (places: readonly number[], of: Float64Array) =>
		quantile(sortedFinite(Float64Array.from(places, at => of[at] as number)), 0.5);
	const [short, long] = [order.slice(0, third), order.slice(-third)];
	const run = middle(long, lengths) - middle(short, lengths);
	if (!(run > 0.02)) return;
	const slope = (middle(long, levels) - middle(short, levels)) / run;
	const centre = middle(order, lengths);
	for (let at = 0; at < levels.length; at++)
		levels[at] = (levels[at] as number) - slope * ((lengths[at] as number) - centre);
}
