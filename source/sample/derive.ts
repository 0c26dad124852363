import type {Lineage, Subtask} from '../lerobot/write-description.ts';
import type {SampleEpisode} from './episode.ts';
import {createRandom} from './random.ts';
import type {SampleRobot} from './robots.ts';

/** Frames that are kept before the first and after the last movement. */
const margin = 4;

/** A child without its parent's idle start and end. */
export function trimmed(parent: SampleEpisode, robot: SampleRobot, lineage: Lineage): SampleEpisode {
	const action = parent.values.action ?? new Float32Array();
	const moving = movingFrames(action, robot);
	const from = Math.max(0, (moving[0] ?? 0) - margin);
	const to = Math.min(parent.length, (moving.at(-1) ?? parent.length - 1) + 1 + margin);
	return {
		...parent,
		length: to - from,
		values: mapVectors(parent, vector =>
			vector.subarray((from * vector.length) / parent.length, (to * vector.length) / parent.length),
		),
		subtasks: parent.subtasks
			.map(({name, startFrame, endFrame}) => ({
				name,
				startFrame: Math.max(from, startFrame) - from,
				endFrame: Math.min(to - 1, endFrame) - from,
			}))
			.filter(({startFrame, endFrame}) => endFrame >= startFrame),
		lineage,
	};
}

/**
 * An augmented child: the same movement in another tempo, its joints turned by a little that is the same
 * throughout.
 */
export function augmented(
	parent: SampleEpisode,
	robot: SampleRobot,
	seed: string,
	lineage: Lineage,
): SampleEpisode {
	const random = createRandom(seed);
	const tempo = lineage.memberOrdinal % 2 === 0 ? random.between(1.08, 1.25) : random.between(0.82, 0.94);
	const length = Math.round(parent.length * tempo);
	const turn = new Float64Array(robot.dims);
	for (const dim of robot.limbs.flatMap(limb => limb.joints))
		turn[dim] = random.normal(0, 1.5) * robot.degree;
	const turned = new Set(['action', 'observation.state']);
	return {
		...parent,
		length,
		values: mapVectors(parent, (vector, name) =>
			stretched(vector, parent.length, length, turned.has(name) ? turn : undefined),
		),
		subtasks: parent.subtasks.map(subtask => stretchedSubtask(subtask, parent.length, length)),
		lineage,
	};
}

function mapVectors(
	parent: SampleEpisode,
	change: (vector: Float32Array, name: string) => Float32Array,
): Record<string, Float32Array> {
	return Object.fromEntries(
		Object.entries(parent.values).map(([name, vector]) => [name, change(vector, name)]),
	);
}

/** Frames on which some joint moves by more than noise. */
function movingFrames(action: Float32Array, {dims, limbs, degree, handNoise, step}: SampleRobot): number[] {
	const joints = limbs.flatMap(limb => limb.joints);
	const still = (3 * handNoise + 1.5 * step) * degree;
	const frames: number[] = [];
	for (let frame = 1; frame * dims < action.length; frame++) {
		const moves = (dim: number) =>
			Math.abs((action[frame * dims + dim] ?? 0) - (action[(frame - 1) * dims + dim] ?? 0)) > still;
		if (joints.some(moves)) frames.push(frame);
	}
	return frames;
}

/** The vector at other frames, interpolated linearly. */
function stretched(
	vector: Float32Array,
	frames: number,
	length: number,
	turn: Float64Array | undefined,
): Float32Array {
	const dims = vector.length / frames;
	const result = new Float32Array(length * dims);
	for (let frame = 0; frame < length; frame++) {
		const at = (frame * (frames - 1)) / Math.max(1, length - 1);
		const before = Math.floor(at);
		const after = Math.min(frames - 1, before + 1);
		for (let dim = 0; dim < dims; dim++) {
			const low = vector[before * dims + dim] ?? 0;
			const high = vector[after * dims + dim] ?? 0;
			result[frame * dims + dim] = low + (high - low) * (at - before) + (turn?.[dim] ?? 0);
		}
	}
	return result;
}

function stretchedSubtask({name, startFrame, endFrame}: Subtask, frames: number, length: number): Subtask {
	const scaled = (frame: number) => Math.round((frame * length) / frames);
	return {name, startFrame: scaled(startFrame), endFrame: scaled(endFrame + 1) - 1};
}
