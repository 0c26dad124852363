import {describe, expect, test} from 'vitest';
import {type SampleDataset, sampleDatasets} from '../../source/sample/datasets.ts';
import type {SampleEpisode} from '../../source/sample/episode.ts';
import type {Fault} from '../../source/sample/faults.ts';
import {simulatedEpisodes} from '../../source/sample/sample-episodes.ts';

type Simulated = {
	readonly dataset: SampleDataset;
	readonly episode: SampleEpisode;
	readonly siblings: readonly SampleEpisode[];
};

/** Every episode of the sample beside the healthy ones of its dataset. */
const all: readonly Simulated[] = sampleDatasets.flatMap(dataset => {
	const episodes = [...simulatedEpisodes(dataset)];
	const siblings = episodes.filter(episode => !episode.fault);
	return episodes.map(episode => ({dataset, episode, siblings}));
});

function withFault(fault: Fault): readonly Simulated[] {
	const found = all.filter(({episode}) => episode.fault === fault);
	expect(found.length).toBeGreaterThan(0);
	return found;
}

const healthy = all.filter(({episode}) => !episode.fault);

function vector(episode: SampleEpisode, name = 'action'): Float32Array {
	return episode.values[name] ?? new Float32Array();
}

function column(values: Float32Array, dims: number, dim: number): number[] {
	return Array.from({length: values.length / dims}, (_, frame) => values[frame * dims + dim] ?? Number.NaN);
}

function frozen(values: Float32Array, dims: number): number {
	return Array.from({length: dims}, (_, dim) => column(values, dims, dim)).filter(
		numbers => Math.max(...numbers) - Math.min(...numbers) < 1e-6,
	).length;
}

/** Speeds from frame to frame, over the joints, in degrees a second. */
function speeds({dataset, episode}: Simulated): number[] {
	const {dims, degree, fps, limbs} = dataset.program.robot;
	const joints = limbs.flatMap(limb => limb.joints);
	const action = vector(episode);
	return Array.from(
		{length: episode.length - 1},
		(_, frame) =>
			Math.hypot(
				...joints.map(
					dim => ((action[(frame + 1) * dims + dim] ?? 0) - (action[frame * dims + dim] ?? 0)) / degree,
				),
			) * fps,
	);
}

function longestRest(simulated: Simulated): number {
	const profile = speeds(simulated);
	const still = 0.05 * (profile.toSorted((a, b) => a - b)[Math.floor(profile.length * 0.95)] ?? 0);
	let longest = 0;
	let run = 0;
	for (const speed of profile) {
		run = speed < still ? run + 1 : 0;
		longest = Math.max(longest, run);
	}
	return longest / simulated.dataset.program.robot.fps;
}

/** Mean size of the third difference, which shaking raises and slow movement does not. */
function roughness({dataset, episode}: Simulated): number {
	const {dims, degree, fps, limbs} = dataset.program.robot;
	const action = vector(episode);
	let sum = 0;
	for (let frame = 3; frame < episode.length; frame++) {
		let squares = 0;
		for (const dim of limbs.flatMap(limb => limb.joints)) {
			const at = (back: number) => (action[(frame - back) * dims + dim] ?? 0) / degree;
			squares += (at(0) - 3 * at(1) + 3 * at(2) - at(3)) ** 2;
		}
		sum += Math.sqrt(squares);
	}
	return (sum / (episode.length - 3)) * fps ** 3;
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function lastPose({dataset, episode}: Simulated): number[] {
	const {dims, degree, limbs} = dataset.program.robot;
	const action = vector(episode);
	return limbs
		.flatMap(limb => limb.joints)
		.map(dim => (action[(episode.length - 1) * dims + dim] ?? 0) / degree);
}

/** How far the last pose is from the siblings' median one: the greatest angle, in degrees. */
function endDistance(simulated: Simulated): number {
	const {dataset, siblings} = simulated;
	const poses = siblings.map(episode => lastPose({...simulated, episode}));
	return Math.max(
		...lastPose({...simulated, dataset}).map((angle, joint) =>
			Math.abs(angle - median(poses.map(pose => pose[joint] ?? 0))),
		),
	);
}

describe('a planted fault is in the data', () => {
	test('long pauses are rests of two seconds and more', () => {
		for (const simulated of withFault('long pauses')) expect(longestRest(simulated)).toBeGreaterThan(1.9);
	});

	test('tremor makes the movement several times as rough as its siblings', () => {
		for (const simulated of withFault('tremor')) {
			const usual = median(simulated.siblings.map(episode => roughness({...simulated, episode})));
			expect(roughness(simulated)).toBeGreaterThan(1.5 * usual);
		}
	});

	test('frozen dims do not move in action and state, while others do', () => {
		for (const {dataset, episode} of withFault('frozen dims')) {
			const {dims} = dataset.program.robot;
			for (const name of ['action', 'observation.state']) {
				expect(frozen(vector(episode, name), dims)).toBeGreaterThanOrEqual(1);
				expect(frozen(vector(episode, name), dims)).toBeLessThan(dims);
			}
		}
	});

	test('dropped frames leave gaps between timestamps', () => {
		for (const {dataset, episode} of withFault('dropped frames')) {
			const {fps} = dataset.program.robot;
			const gaps = [...(episode.timestamps ?? [])].map(
				(time, frame, times) => (time - (times[frame - 1] ?? 0)) * fps,
			);
			expect(episode.timestamps).toHaveLength(episode.length);
			expect(gaps.filter(gap => gap > 1.5).length).toBeGreaterThanOrEqual(1);
			expect(Math.min(...gaps.slice(1))).toBeGreaterThan(0.5);
		}
	});

	test('a camera out of step differs by 0.3 s and more', () => {
		for (const {episode} of withFault('camera out of step')) {
			expect(Math.max(...Object.values(episode.cameraSkew).map(Math.abs))).toBeGreaterThanOrEqual(0.3);
		}
	});

	test('an episode that never moves has every dim frozen', () => {
		for (const {dataset, episode} of withFault('never moves')) {
			const {dims} = dataset.program.robot;
			expect(frozen(vector(episode), dims)).toBe(dims);
			expect(frozen(vector(episode, 'observation.state'), dims)).toBe(dims);
		}
	});

	test('an end far off is further off than any healthy sibling’s', () => {
		for (const simulated of withFault('ends far off')) {
			const others = simulated.siblings.map(episode => endDistance({...simulated, episode}));
			expect(endDistance(simulated)).toBeGreaterThan(20);
			expect(endDistance(simulated)).toBeGreaterThan(Math.max(...others));
		}
	});

	test('too long is half as long again as is usual, too short less than half', () => {
		for (const {episode, siblings} of withFault('too long')) {
			expect(episode.length).toBeGreaterThan(1.4 * median(siblings.map(({length}) => length)));
		}
		for (const {episode, siblings} of withFault('too short')) {
			expect(episode.length).toBeLessThan(0.5 * median(siblings.map(({length}) => length)));
		}
	});

	test('a calibration offset stays between action and state where the arm rests', () => {
		for (const {dataset, episode} of withFault('calibration offset')) {
			const {dims, degree} = dataset.program.robot;
			const action = vector(episode);
			const state = vector(episode, 'observation.state');
			const offsets = Array.from({length: dims}, (_, dim) =>
				Math.abs(((state[dim] ?? 0) - (action[dim] ?? 0)) / degree),
			);
			expect(Math.max(...offsets)).toBeGreaterThan(4);
		}
	});

	test('a truncated episode loses some of its frames, not all', () => {
		for (const {episode} of withFault('truncated')) {
			expect(episode.lostFrames).toBeGreaterThan(0);
			expect(episode.lostFrames).toBeLessThan(episode.length);
		}
	});
});

describe('an episode without a planted fault', () => {
	test('moves, rests no longer than a person would, and loses nothing', () => {
		for (const simulated of healthy) {
			const {episode, dataset} = simulated;
			expect(frozen(vector(episode), dataset.program.robot.dims)).toBeLessThan(
				dataset.program.robot.dims / 2,
			);
			expect(longestRest(simulated)).toBeLessThan(1.9);
			expect(episode.timestamps).toBeUndefined();
			expect(episode.cameraSkew).toEqual({});
			expect(episode.lostFrames).toBe(0);
		}
	});

	test('lasts between some four and thirty seconds', () => {
		for (const {dataset, episode} of healthy) {
			const seconds = episode.length / dataset.program.robot.fps;
			expect(seconds).toBeGreaterThan(3.5);
			expect(seconds).toBeLessThan(30);
		}
	});

	test('has a state that follows its action', () => {
		for (const {dataset, episode} of healthy.filter((_, place) => place % 25 === 0)) {
			const {limbs, dims, degree} = dataset.program.robot;
			const behind = limbs
				.flatMap(limb => limb.joints)
				.map(dim => {
					const action = column(vector(episode), dims, dim);
					const state = column(vector(episode, 'observation.state'), dims, dim);
					return Math.sqrt(
						action.reduce((sum, value, frame) => sum + (value - (state[frame] ?? 0)) ** 2, 0) / action.length,
					);
				});
			expect(Math.max(...behind) / degree).toBeLessThan(12);
			expect(Math.max(...behind)).toBeGreaterThan(0);
		}
	});

	test('has subtasks that cover it from the first frame to the last', () => {
		for (const {episode} of healthy) {
			expect(episode.subtasks[0]?.startFrame).toBe(0);
			expect(episode.subtasks.at(-1)?.endFrame).toBe(episode.length - 1);
			for (const [place, {startFrame}] of episode.subtasks.entries()) {
				if (place > 0) expect(startFrame).toBe((episode.subtasks[place - 1]?.endFrame ?? 0) + 1);
			}
		}
	});
});
