import type {Lineage, Subtask} from '../lerobot/write-description.ts';
import {addTremor, type Fault, freeze, frozenJoints, gappedTimestamps, offsetJoint} from './faults.ts';
import {commandedPath, followedPath} from './motion.ts';
import {type Course, type Plan, planEpisode} from './plan.ts';
import {createRandom, type Random} from './random.ts';
import {pickOperator} from './robots.ts';
import type {TaskProgram} from './tasks.ts';

/** A simulated demonstration. */
export type SampleEpisode = {
	/** Frames. */
	readonly length: number;
	readonly task: string;
	/** The operator. */
	readonly operator: string;
	readonly fault: Fault | undefined;
	/** Vectors by feature name, frame after frame. */
	readonly values: Readonly<Record<string, Float32Array>>;
	/** The follower as a camera sees it. @default `observation.state` */
	readonly pose?: Float32Array;
	readonly subtasks: readonly Subtask[];
	/** Seconds; absent where they are frame / fps. */
	readonly timestamps?: Float32Array;
	/** Seconds by which each camera's span differs from the episode's duration. */
	readonly cameraSkew: Readonly<Record<string, number>>;
	/** Frames at the end that the data files lack. */
	readonly lostFrames: number;
	readonly lineage?: Lineage;
};

/**
 * Simulates one episode.
 *
 * @param seed settles everything about it.
 */
export function simulateEpisode(program: TaskProgram, seed: string, fault: Fault | undefined): SampleEpisode {
	const {robot} = program;
	const random = createRandom(seed);
	const operator = pickOperator(random);
	const plan = planEpisode(program, operator, random, courseOf(fault, random));
	const action = commandedPath(plan, robot, operator, random);
	if (fault === 'tremor') addTremor(action, robot, random);
	const frozen = frozenDims(fault, program, random);
	freeze(action, robot.dims, frozen);
	const state = followedPath(action, plan, robot, random);
	freeze(state, robot.dims, frozen);
	const pose = fault === 'calibration offset' ? state.slice() : undefined;
	if (pose) offsetJoint(state, robot, random);
	const whole = action.length / robot.dims;
	const length = fault === 'too short' ? Math.max(20, Math.round(whole * random.between(0.2, 0.32))) : whole;
	const values = {
		action: action.subarray(0, length * robot.dims),
		'observation.state': state.subarray(0, length * robot.dims),
	};
	const timestamps = fault === 'dropped frames' ? gappedTimestamps(length, robot.fps, random) : undefined;
	return {
		length,
		task: program.task,
		operator: operator.name,
		fault,
		values,
		...(pose && {pose}),
		subtasks: subtasksOf(plan, robot.fps, length),
		...(timestamps && {timestamps}),
		cameraSkew: skewOf(fault, program, random),
		lostFrames: fault === 'truncated' ? Math.round(length * random.between(0.2, 0.6)) : 0,
	};
}

/** Now and then a healthy episode needs a second try, too. */
function courseOf(fault: Fault | undefined, random: Random): Course {
	const retries = random.chance(0.08) ? 1 : 0;
	if (fault === 'long pauses') {
		return {retries, pauses: Array.from({length: 2 + random.below(2)}, () => random.between(2.5, 5))};
	}
	if (fault === 'too long') return {retries: 2 + random.below(2), slowness: random.between(1.25, 1.35)};
	if (fault === 'ends far off') return {retries, endsOff: random.between(28, 45)};
	return {retries};
}

function frozenDims(fault: Fault | undefined, {robot}: TaskProgram, random: Random): number[] {
	if (fault === 'never moves') return Array.from({length: robot.dims}, (_, dim) => dim);
	return fault === 'frozen dims' ? frozenJoints(robot, random) : [];
}

function skewOf(fault: Fault | undefined, {robot}: TaskProgram, random: Random): Record<string, number> {
	const cameras = Object.keys(robot.cameras);
	const late = cameras[random.below(cameras.length)];
	if (fault !== 'camera out of step' || late === undefined) return {};
	return {[late]: (random.chance(0.5) ? 1 : -1) * random.between(0.3, 1.2)};
}

function subtasksOf(plan: Plan, fps: number, length: number): Subtask[] {
	const subtasks: Subtask[] = [];
	let startFrame = 0;
	for (const [place, {name, end}] of plan.subtasks.entries()) {
		const last = place === plan.subtasks.length - 1;
		const endFrame = Math.min(length - 1, last ? length - 1 : Math.round(end * fps) - 1);
		if (endFrame < startFrame) continue;
		subtasks.push({name, startFrame, endFrame});
		startFrame = endFrame + 1;
	}
	return subtasks;
}
