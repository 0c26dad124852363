import {measureEpisode} from '../../../source/motion/episode-metrics.ts';
import {pairChannels, partsFor, profileEpisode} from '../../../source/motion/profile.ts';
import {type SampleEpisode, simulateEpisode} from '../../../source/sample/episode.ts';
import {type Fault, faults, placeFaults} from '../../../source/sample/faults.ts';
import {commandedPath, followedPath} from '../../../source/sample/motion.ts';
import {planEpisode} from '../../../source/sample/plan.ts';
import {createRandom} from '../../../source/sample/random.ts';
import {pickOperator} from '../../../source/sample/robots.ts';
import type {TaskProgram} from '../../../source/sample/tasks.ts';
import {type Judgement, judge} from '../../../source/service/siblings/judgement.ts';
import {
	type ComparedEpisode,
	comparedEpisode,
	usualThresholds,
} from '../../../source/service/siblings/traits.ts';

/** An episode as it was simulated, with what its siblings say of it. */
export type Judged = {
	readonly fault: Fault | undefined;
	readonly judgement: Judgement;
	readonly index: number;
};

const parts = partsFor(400);

const jointNames = (dims: number) => Array.from({length: dims}, (_, dim) => `joint_${dim}`);

/** What an ingest would compare of a simulated episode. */
function compared(
	{values, length, task, timestamps, cameraSkew, lostFrames}: SampleEpisode,
	program: TaskProgram,
): ComparedEpisode {
	const {dims, fps, cameras} = program.robot;
	const names = jointNames(dims);
	const frames = length - lostFrames;
	const signal = (name: string) => ({
		values: (values[name] ?? new Float32Array()).subarray(0, frames * dims),
		dims,
	});
	const measured = measureEpisode({
		frames,
		fps,
		action: signal('action'),
		state: signal('observation.state'),
		telemetry: [],
		timestamps: Float64Array.from(
			{length: frames},
			(_, frame) => timestamps?.[frame] ?? Math.fround(frame / fps),
		),
		cameraSpans: Object.keys(cameras).map(key => ({from: 0, to: length / fps + (cameraSkew[key] ?? 0)})),
	});
	const faults: string[] = [];
	if (lostFrames > 0) faults.push(`it has ${frames} frames where the metadata says ${length}`);
	const {frozen_action_dims, action_dims} = measured.metrics;
	if (frozen_action_dims === action_dims)
		faults.push(`never moves: ${frozen_action_dims} of ${action_dims} dims frozen`);
	const profile = profileEpisode(
		signal('action'),
		signal('observation.state'),
		pairChannels(names, names),
		parts,
	);
	return comparedEpisode(0, task, faults, measured, profile);
}

/** Three tries and more, each at half the pace: about twice what its siblings take. */
function tooLong(program: TaskProgram, seed: string): SampleEpisode {
	const random = createRandom(seed);
	const operator = pickOperator(random);
	const plan = planEpisode(program, operator, random, {retries: 3, slowness: 1.7});
	const action = commandedPath(plan, program.robot, operator, random);
	const state = followedPath(action, plan, program.robot, random);
	return {
		length: action.length / program.robot.dims,
		task: program.task,
		operator: operator.name,
		fault: 'too long',
		values: {action, 'observation.state': state},
		subtasks: [],
		cameraSkew: {},
		lostFrames: 0,
	};
}

/** Simulates `episodes` demonstrations of a task, `each` of every kind of fault among them, and judges them. */
export function judgePlanted(program: TaskProgram, seed: string, episodes: number, each: number): Judged[] {
	const counts = Object.fromEntries(Object.keys(faults).map(fault => [fault, each]));
	const planted = placeFaults(counts, episodes, seed);
	const simulated = Array.from({length: episodes}, (_, index) => {
		const fault = planted.get(index);
		return fault === 'too long'
			? tooLong(program, `${seed}/${index}`)
			: simulateEpisode(program, `${seed}/${index}`, fault);
	});
	const names = jointNames(program.robot.dims);
	const judgements = judge(
		simulated.map(episode => compared(episode, program)),
		{action: names, poses: names},
		usualThresholds,
		parts,
	);
	return judgements.map((judgement, index) => ({judgement, index, fault: planted.get(index)}));
}
