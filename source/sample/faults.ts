import {createRandom, type Random} from './random.ts';
import type {SampleRobot} from './robots.ts';

/** The faults planted in the sample, each as a curator would see it. */
export const faults = {
	'long pauses': 'rests of several seconds in the middle',
	tremor: 'the arm shakes at 6 to 9 Hz',
	'frozen dims': 'some joints do not move though the others do',
	'dropped frames': 'gaps in the timestamps',
	'camera out of step': "a camera's span is longer or shorter than the episode",
	'never moves': 'no joint moves at all',
	'ends far off': 'the arm ends far from where its siblings end',
	'too long': 'the grasp is tried again and again, slowly',
	'too short': 'cut off soon after the start',
	truncated: 'the metadata counts more frames than the data files hold',
	'calibration offset': 'one joint of the follower is off by a constant angle',
} as const;

export type Fault = keyof typeof faults;

/** How many episodes of a dataset have each fault; an episode has one at most. */
export type FaultCounts = Readonly<Partial<Record<Fault, number>>>;

/** Which episodes have a fault: drawn from the seed, no two on one episode. */
export function placeFaults(counts: FaultCounts, episodes: number, seed: string): ReadonlyMap<number, Fault> {
	const random = createRandom(`${seed}/faults`);
	const placed = new Map<number, Fault>();
	for (const [fault, count] of Object.entries(counts) as [Fault, number][]) {
		for (let left = count; left > 0; ) {
			const episode = random.below(episodes);
			if (placed.has(episode)) continue;
			placed.set(episode, fault);
			left--;
		}
	}
	return placed;
}

/** Shakes the arms' joints, each at its own 6 to 9 Hz, by a degree or some. */
export function addTremor(action: Float32Array, robot: SampleRobot, random: Random): void {
	const {dims, fps, degree} = robot;
	// It must exceed the operators' normal variation.
	const usual = 3 * robot.handNoise;
	for (const dim of robot.limbs.flatMap(limb => limb.joints)) {
		const turn = (2 * Math.PI * random.between(6, 9)) / fps;
		const phase = random.between(0, 2 * Math.PI);
		const size = (usual + random.between(0.6, 1.5)) * degree;
		for (let frame = 0; frame * dims < action.length; frame++) {
			const place = frame * dims + dim;
			action[place] = (action[place] ?? 0) + size * Math.sin(turn * frame + phase);
		}
	}
}

/** Holds dimensions at their first value. */
export function freeze(values: Float32Array, dims: number, frozen: readonly number[]): void {
	for (const dim of frozen) {
		for (let place = dim + dims; place < values.length; place += dims) values[place] = values[dim] ?? 0;
	}
}

/** One or two joints, or all of an arm but one, as unplugged motors leave them. */
export function frozenJoints(robot: SampleRobot, random: Random): number[] {
	const joints = robot.limbs[random.below(robot.limbs.length)]?.joints ?? [];
	const from = random.below(joints.length - 1);
	return joints.slice(from, from + 1 + random.below(2));
}

/** Timestamps at the robot's rate with 3 to 7 gaps of 1 to 5 frames each. */
export function gappedTimestamps(length: number, fps: number, random: Random): Float32Array {
	const lost = new Int32Array(length);
	for (let gap = 3 + random.below(5); gap > 0; gap--) {
		lost[1 + random.below(length - 1)] = 1 + random.below(5);
	}
	let skipped = 0;
	return Float32Array.from(lost, (gap, frame) => {
		skipped += gap;
		return (frame + skipped) / fps;
	});
}

/** Turns one joint of the follower by 6 to 14 degrees. */
export function offsetJoint(state: Float32Array, robot: SampleRobot, random: Random): void {
	const joints = robot.limbs[0]?.joints ?? [];
	const dim = joints[1 + random.below(joints.length - 1)] ?? 0;
	const offset = (random.chance(0.5) ? 1 : -1) * random.between(6, 14) * robot.degree;
	for (let place = dim; place < state.length; place += robot.dims)
		state[place] = (state[place] ?? 0) + offset;
}
