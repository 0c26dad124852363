import type {ChannelAggregate, Signal} from './channel-aggregates.ts';

/**
 * A channel of the action stands still while it stays this near to where it was, as a share of its range; or within so
 * many of its usual steps from frame to frame, because a hand that holds a joint in place trembles.
 */
const stillShare = 0.03;
const stillSteps = 3;

/** Seconds that the follower is given to come to rest too. */
const settling = 0.25;

/** Frames that a stretch at rest has at least. */
const shortest = 3;

/**
 * By how much leader and follower differ at rest: for each dimension the smallest difference, action minus state, of
 * all the stretches in which the leader's joint stands still and the follower had a quarter of a second to follow; 0
 * where they are not all on one side, NaN where the joint never rests. A fault of calibration is there in all of them,
 * while a hand that holds something differs only then.
 *
 * @param ranges of the action, one a dimension
 */
export function restOffsets(
	action: Signal,
	state: Signal,
	ranges: readonly (ChannelAggregate | null)[],
	fps: number,
): Float64Array {
	const {dims} = action;
	const frames = Math.min(action.values.length, state.values.length) / dims;
	const settled = Math.max(1, Math.round(settling * fps));
	return Float64Array.from({length: dims}, (_, dim) => {
		const range = ranges[dim];
		if (!range) return Number.NaN;
		let travel = 0;
		for (let at = dim + dims; at < frames * dims; at += dims) {
			travel += Math.abs((action.values[at] as number) - (action.values[at - dims] as number));
		}
		const still = Math.max(stillShare * (range.max - range.min), (stillSteps * travel) / frames);
		let smallest = Number.NaN;
		// A stretch at the very start needs no settling: nothing moved before it.
		let run = settled - 1;
		let least = settled;
		let count = 0;
		let sum = 0;
		let anchor = action.values[dim] as number;
		for (let frame = 0, at = dim; frame <= frames; frame++, at += dims) {
			const now = frame < frames ? (action.values[at] as number) : Number.NaN;
			if (Math.abs(now - anchor) <= still) {
				if (++run >= settled) {
					sum += now - (state.values[at] as number);
					count++;
				}
			} else {
				if (count >= least) smallest = nearerToZero(smallest, sum / count);
				anchor = now;
				least = shortest;
				run = 0;
				count = 0;
				sum = 0;
			}
		}
		return smallest;
	});
}

function nearerToZero(smallest: number, difference: number): number {
	if (Number.isNaN(smallest)) return difference;
	if (Math.sign(difference) !== Math.sign(smallest)) return 0;
	return Math.abs(difference) < Math.abs(smallest) ? difference : smallest;
}
