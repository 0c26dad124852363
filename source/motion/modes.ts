import type {Aligner} from './align.ts';
import {quantile, sortedFinite} from './robust.ts';

/** A way of doing the task is done in a fifth of the siblings at least. */
const leastShare = 0.2;
const mostModes = 4;
const compared = 48;

/** A way of doing the task: an episode that all of its kind resemble, as the aligner takes it, and how near they are. */
export type Mode = {readonly template: Float64Array; readonly usual: number};

/** Some of `count` places, evenly spread. */
export function spaced(count: number, most: number): number[] {
	if (count <= most) return Array.from({length: count}, (_, at) => at);
	return Array.from({length: most}, (_, at) => Math.floor(((at + 0.5) * count) / most));
}

/** Finds medoids: one, and more where that brings the siblings much nearer to one. */
export function findModes(aligner: Aligner, courses: readonly Float32Array[]): Mode[] {
	const chosen = spaced(courses.length, compared).map(at => aligner.sketch(courses[at] as Float32Array));
	const count = chosen.length;
	const distances = new Float64Array(count * count);
	for (let one = 0; one < count; one++) {
		for (let two = 0; two < one; two++) {
			const distance = aligner.sketchDistance(chosen[one] as Float64Array, chosen[two] as Float64Array);
			distances[one * count + two] = distance;
			distances[two * count + one] = distance;
		}
	}
	const assign = (medoids: readonly number[]) =>
		Array.from({length: count}, (_, at) => {
			let best = 0;
			for (let mode = 1; mode < medoids.length; mode++) {
				if (
					(distances[at * count + (medoids[mode] as number)] as number) <
					(distances[at * count + (medoids[best] as number)] as number)
				)
					best = mode;
			}
			return best;
		});
	// The sum of distances would go to what lies far off: the median distance of the members is as robust as it gets.
	const centre = (members: readonly number[]) => {
		let best = members[0] as number;
		let least = Number.POSITIVE_INFINITY;
		for (const one of members) {
			const middle = quantile(
				sortedFinite(Float64Array.from(members, other => distances[one * count + other] as number)),
				0.5,
			);
			if (middle < least) {
				least = middle;
				best = one;
			}
		}
		return best;
	};
	const everyone = Array.from({length: count}, (_, at) => at);
	let medoids = [centre(everyone)];
	while (medoids.length < mostModes) {
		const nearest = assign(medoids);
		const apart = everyone.map(
			at => distances[at * count + (medoids[nearest[at] as number] as number)] as number,
		);
		const usual = quantile(sortedFinite(Float64Array.from(apart)), 0.5);
		// The one with the densest neighbourhood among those far from every medoid.
		const far = everyone.filter(
			at => (apart[at] as number) > 1.6 * Math.min(usual, tightness(medoids, nearest, apart)),
		);
		if (far.length < leastShare * count) break;
		const added = centre(far);
		let tried = [...medoids, added];
		for (let round = 0; round < 3; round++) {
			const own = assign(tried);
			tried = tried.map((medoid, mode) => {
				const members = everyone.filter(at => own[at] === mode);
				return members.length > 0 ? centre(members) : medoid;
			});
		}
		const own = assign(tried);
		const sizes = tried.map((_, mode) => own.filter(each => each === mode).length);
		const within = quantile(
			sortedFinite(
				Float64Array.from(
					everyone,
					at => distances[at * count + (tried[own[at] as number] as number)] as number,
				),
			),
			0.5,
		);
		let between = Number.POSITIVE_INFINITY;
		for (const one of tried)
			for (const two of tried)
				if (one !== two) between = Math.min(between, distances[one * count + two] as number);
		if (Math.min(...sizes) < leastShare * count || between < 1.8 * within) break;
		medoids = tried;
	}
	const own = assign(medoids);
	return medoids.map((medoid, mode) => ({
		template: chosen[medoid] as Float64Array,
		usual: quantile(
			sortedFinite(
				everyone.filter(at => own[at] === mode).map(at => distances[at * count + medoid] as number),
			),
			0.5,
		),
	}));
}

/** The median distance within the tightest mode. */
function tightness(medoids: readonly number[], nearest: readonly number[], apart: readonly number[]): number {
	return Math.min(
		...medoids.map((_, mode) =>
			quantile(sortedFinite(Float64Array.from(apart.filter((_each, at) => nearest[at] === mode))), 0.5),
		),
	);
}
