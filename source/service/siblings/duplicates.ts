import type {Signal} from '../../motion/channel-aggregates.ts';
import {quantile, sortedFinite} from '../../motion/robust.ts';
import type {ComparedEpisode} from './traits.ts';

/** Moments that an episode is known by again, from its start and from its end, as shares of what is usual. */
const moments = [0.15, 0.3, 0.45, 0.6];

const mostChannels = 12;

/** Near enough to be the same recording, as a share of what a channel spans among the siblings. */
const sameShare = 0.004;

/**
 * How many of the nearest along one line an episode is compared with: all that may be the same in a lake of some ten thousand,
 * those that are all but equal in a larger one, whose comparison would else grow with its square.
 */
const mostNeighbours = 200;

/** Where so many have a double, the dataset is made so: a replay, a simulation without chance. */
const mostDoubles = 0.3;

/** Reads a few values of an action, at fixed times from the start and from the end: what is cut off at one end leaves the others. */
export function printOf({values, dims}: Signal, usualFrames: number): Float32Array {
	const frames = values.length / dims;
	const width = Math.min(dims, mostChannels);
	const print = new Float32Array(2 * moments.length * width).fill(Number.NaN);
	for (const [place, share] of moments.entries()) {
		const away = Math.round(share * usualFrames);
		if (away >= frames) continue;
		for (let channel = 0; channel < width; channel++) {
			print[place * width + channel] = values[away * dims + channel] as number;
			print[(moments.length + place) * width + channel] = values[
				(frames - 1 - away) * dims + channel
			] as number;
		}
	}
	return print;
}

/** For each episode the place of one that it is once more; −1 for none. */
export function findDoubles(episodes: readonly ComparedEpisode[]): Int32Array {
	const doubles = new Int32Array(episodes.length).fill(-1);
	const known = episodes.flatMap(({print}, at) => (print ? [at] : []));
	const size = episodes[known[0] ?? -1]?.print?.length ?? 0;
	if (known.length < 2 || size === 0) return doubles;
	const half = size / 2;
	const width = half / moments.length;
	const scales = channelScales(
		known.map(at => episodes[at]?.print as Float32Array),
		width,
		half,
	);
	const moving = Array.from({length: width}, (_, channel) => channel).filter(
		channel => (scales[channel] as number) > 0,
	);
	if (moving.length === 0) return doubles;
	for (const side of [0, half]) {
		const project = (at: number) => {
			const print = episodes[at]?.print as Float32Array;
			let sum = 0;
			for (const channel of moving)
				sum += (print[side + channel] as number) / (scales[channel] as number) / moving.length;
			return sum;
		};
		const order = known
			.map(at => ({at, along: project(at)}))
			.filter(({along}) => Number.isFinite(along))
			.sort((a, b) => a.along - b.along);
		for (const [place, {at, along}] of order.entries()) {
			for (
				let next = place + 1;
				next < order.length &&
				next - place <= mostNeighbours &&
				(order[next]?.along ?? 0) - along <= sameShare;
				next++
			) {
				const other = order[next]?.at as number;
				if (
					!alike(
						episodes[at]?.print as Float32Array,
						episodes[other]?.print as Float32Array,
						side,
						half,
						width,
						scales,
						moving,
					)
				)
					continue;
				doubles[at] = doubles[at] === -1 ? other : (doubles[at] as number);
				doubles[other] = doubles[other] === -1 ? at : (doubles[other] as number);
			}
		}
	}
	const found = doubles.reduce((sum, other) => sum + (other >= 0 ? 1 : 0), 0);
	return found > mostDoubles * known.length && known.length > 10 ? doubles.fill(-1) : doubles;
}

function alike(
	one: Float32Array,
	two: Float32Array,
	side: number,
	half: number,
	width: number,
	scales: readonly number[],
	moving: readonly number[],
): boolean {
	let compared = 0;
	for (let moment = 0; moment < half / width; moment++) {
		for (const channel of moving) {
			const place = side + moment * width + channel;
			const [a, b] = [one[place] as number, two[place] as number];
			if (Number.isNaN(a) !== Number.isNaN(b)) return false;
			if (Number.isNaN(a)) continue;
			if (Math.abs(a - b) > sameShare * (scales[channel] as number)) return false;
			compared++;
		}
	}
	return compared >= 2 * moving.length;
}

function channelScales(prints: readonly Float32Array[], width: number, half: number): number[] {
	return Array.from({length: width}, (_, channel) => {
		const values: number[] = [];
		const step = Math.max(1, Math.floor(prints.length / 200));
		for (let at = 0; at < prints.length; at += step) {
			for (let place = channel; place < half; place += width) values.push(prints[at]?.[place] as number);
		}
		const sorted = sortedFinite(values);
		return quantile(sorted, 0.95) - quantile(sorted, 0.05);
	});
}
