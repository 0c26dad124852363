import type {Plan} from './plan.ts';
import {normalTable, type Random} from './random.ts';
import type {Operator, SampleRobot} from './robots.ts';

/** Frames of a plan at the robot's rate. */
function planLength(plan: Plan, robot: SampleRobot): number {
	return Math.max(2, Math.round(plan.seconds * robot.fps));
}

/** Noise of a movement as a share of its step from frame to frame (Harris & Wolpert 1998). */
const signalNoise = 0.06;

/**
 * The leader's command: the plan's submovements, the noise of the operator's hand, and the encoder's steps.
 */
export function commandedPath(
	plan: Plan,
	robot: SampleRobot,
	operator: Operator,
	random: Random,
): Float32Array {
	const {fps, dims} = robot;
	const length = planLength(plan, robot);
	const action = new Float32Array(length * dims);
	const isJoint = new Set(robot.limbs.flatMap(limb => limb.joints));
	const path = new Float64Array(length);
	for (let dim = 0; dim < dims; dim++) {
		sumSubmovements(path, plan, dim, fps);
		const joint = isJoint.has(dim);
		addHandNoise(
			path,
			operator.noise * signalNoise,
			joint ? operator.noise * robot.handNoise * robot.degree : 0,
			random,
		);
		for (const rest of plan.rests) letGo(path, rest, fps);
		const step = joint ? robot.step * robot.degree : 0.001;
		for (let frame = 0; frame < length; frame++) {
			action[frame * dims + dim] = Math.round((path[frame] ?? 0) / step) * step;
		}
	}
	return action;
}

function sumSubmovements(path: Float64Array, plan: Plan, dim: number, fps: number): void {
	path.fill(plan.start[dim] ?? 0);
	for (const {start, seconds, delta: deltas, bend: bends} of plan.submovements) {
		const delta = deltas[dim] ?? 0;
		if (delta === 0) continue;
		const bend = bends[dim] ?? 0;
		const first = Math.min(path.length, Math.ceil(start * fps));
		const last = Math.min(path.length, Math.floor((start + seconds) * fps) + 1);
		for (let frame = first; frame < last; frame++) {
			const share = Math.min(1, (frame / fps - start) / seconds);
			// 10τ³ − 15τ⁴ + 6τ⁵, the minimum-jerk course; 16τ²(1−τ)² bows it aside and is still at both ends.
			const course = share ** 3 * (10 - 15 * share + 6 * share ** 2);
			path[frame] = (path[frame] ?? 0) + delta * course + bend * 16 * share ** 2 * (1 - share) ** 2;
		}
		for (let frame = last; frame < path.length; frame++) path[frame] = (path[frame] ?? 0) + delta;
	}
}

/**
 * @param share of the step from frame to frame, and
 * @param floor in the path's unit: together the noise's standard deviation.
 */
function addHandNoise(path: Float64Array, share: number, floor: number, random: Random): void {
	const normal = normalTable();
	let noise = random.below(normal.length);
	let before = path[0] ?? 0;
	for (let frame = 0; frame < path.length; frame++) {
		const here = path[frame] ?? 0;
		noise = (noise + 1) % normal.length;
		path[frame] = here + (floor + share * Math.abs(here - before)) * (normal[noise] ?? 0);
		before = here;
	}
}

function letGo(path: Float64Array, {from, to}: Plan['rests'][number], fps: number): void {
	const first = Math.round(from * fps);
	path.fill(path[first] ?? 0, first, Math.max(first, Math.round(to * fps)));
}

/**
 * The follower's encoder readings: it trails the command as a first-order system, sags a little, stops at
 * what it holds, and is read with noise.
 */
export function followedPath(
	action: Float32Array,
	plan: Pick<Plan, 'holds'>,
	robot: SampleRobot,
	random: Random,
): Float32Array {
	const {fps, dims, limbs, degree} = robot;
	const length = action.length / dims;
	const state = new Float32Array(action.length);
	const gain = 1 - Math.exp(-1 / (fps * robot.lag));
	for (const limb of limbs) {
		for (const dim of limb.joints) {
			const sag = random.normal(0, 0.35) * degree;
			follow(
				state,
				action,
				{dim, dims, length, gain, sag, step: robot.step * degree, noise: 0.03 * degree},
				random,
			);
		}
		for (const {dim, open, closed} of limb.grips) {
			const span = open - closed;
			follow(state, action, {dim, dims, length, gain, sag: 0, step: span / 2000, noise: span / 1500}, random);
			for (const {from, to, width} of plan.holds.filter(hold => hold.limb === limb)) {
				const narrowest = closed + width * span;
				const last = Math.min(length, Math.floor(to * fps));
				for (let frame = Math.ceil(from * fps); frame < last; frame++) {
					state[frame * dims + dim] = Math.max(narrowest, state[frame * dims + dim] ?? 0);
				}
			}
		}
	}
	return state;
}

type Following = {
	readonly dim: number;
	readonly dims: number;
	readonly length: number;
	readonly gain: number;
	readonly sag: number;
	readonly step: number;
	readonly noise: number;
};

function follow(state: Float32Array, action: Float32Array, following: Following, random: Random): void {
	const {dim, dims, length, gain, sag, step, noise} = following;
	let at = action[dim] ?? 0;
	const normal = normalTable();
	let place = random.below(normal.length);
	for (let frame = 0; frame < length; frame++) {
		at += gain * ((action[frame * dims + dim] ?? 0) - at);
		place = (place + 1) % normal.length;
		const read = at + sag + noise * (normal[place] ?? 0);
		state[frame * dims + dim] = Math.round(read / step) * step;
	}
}
