import {createRandom, type Random} from '../../source/sample/random.ts';

/** An episode of the bench: frame after frame, `dims` numbers each, action and state alike. */
export type BenchEpisode = {
	readonly action: Float32Array;
	readonly state: Float32Array;
	readonly frames: number;
	readonly task: string;
	/** Seconds; frame / fps where absent. */
	readonly timestamps?: Float64Array;
	/** Seconds by which a camera's span differs from the episode's duration. */
	readonly cameraSkew?: number;
};

/** A group of episodes of one task, and how more of the kind come about. */
export type Base = {
	readonly name: string;
	readonly fps: number;
	readonly names: readonly string[];
	/** Channels that open and close, 1 where open is the higher value. */
	readonly grippers: readonly number[];
	readonly episodes: readonly BenchEpisode[];
	/** Some episodes of another task of the same arm, to be labelled wrongly. */
	readonly others: readonly BenchEpisode[];
	/** How the follower of this arm follows a leader, without noise. */
	readonly follow: (action: Float32Array, frames: number) => Float32Array;
};

type Arm = {
	readonly name: string;
	readonly fps: number;
	/** Seconds that an episode takes, about. */
	readonly seconds: number;
	readonly joints: readonly {
		readonly name: string;
		readonly span: number;
		readonly gripper?: true;
		readonly idle?: true;
	}[];
	/** Ways of doing the task. */
	readonly modes: number;
	/** The smallest step that an encoder tells, as a share of a joint's span; 0 for none. */
	readonly step: number;
	/** Seconds by which a joint follows late: a delay, then a first-order lag. */
	readonly delay: number;
	readonly lag: number;
	readonly noise: number;
};

const arm = (prefix: string, spans: readonly number[], idle?: true) =>
	spans.map((span, joint) => ({name: `${prefix}joint_${joint + 1}`, span, ...(idle && {idle})}));

/** Degrees, radians with fingers in metres, and degrees with a gripper of 0 to 100 behind a slow follower. */
export const arms: readonly Arm[] = [
	{
		name: 'one 6-joint arm, degrees',
		fps: 30,
		seconds: 11,
		joints: [...arm('', [80, 95, 110, 60, 45]), {name: 'gripper', span: 60, gripper: true}],
		modes: 1,
		step: 0.0012,
		delay: 0.03,
		lag: 0.07,
		noise: 0.0015,
	},
	{
		name: 'two 7-joint arms, radians and metres, one at rest',
		fps: 50,
		seconds: 9,
		joints: [
			...arm('left_', [1.4, 1.2, 1.5, 0.8, 1.1, 0.9], true),
			{name: 'left_finger', span: 0.07, gripper: true, idle: true},
			...arm('right_', [1.2, 1.5, 1.4, 0.9, 1.3, 0.7]),
			{name: 'right_finger', span: 0.07, gripper: true},
		],
		modes: 1,
		step: 0.001,
		delay: 0.04,
		lag: 0.05,
		noise: 0.001,
	},
	{
		name: 'one 7-joint arm and gripper, two ways of doing it',
		fps: 20,
		seconds: 14,
		joints: [...arm('', [70, 60, 90, 85, 50, 75, 120]), {name: 'gripper', span: 100, gripper: true}],
		modes: 2,
		step: 0,
		delay: 0.1,
		lag: 0.16,
		noise: 0.003,
	},
];

/** A point of a task: where each joint is to be, in shares of its span, and when, in shares of the whole. */
type Waypoint = {
	readonly at: number;
	readonly pose: readonly number[];
	readonly shift: readonly (readonly number[])[];
};

const latents = 3;

/** A task of an arm, as it follows from a seed: reach, grasp, carry, release, return, with something between. */
function planTask(arm: Arm, seed: string): readonly (readonly Waypoint[])[] {
	const random = createRandom(seed);
	const {joints} = arm;
	const home = joints.map(() => random.between(0.1, 0.4));
	const far = (from: readonly number[]) =>
		from.map((value, joint) =>
			joints[joint]?.idle ? value : Math.min(1.1, Math.max(-0.1, value + random.between(-0.6, 0.6))),
		);
	const common = [far(home), far(home), far(home), far(home), far(home)];
	return Array.from({length: arm.modes}, () => {
		const poses = [
			home,
			...common.map((pose, place) => (place === 2 || place === 3 ? far(pose) : pose)),
			home,
		];
		const times = [0.04, 0.2, 0.33, 0.5, 0.66, 0.8, 0.97];
		const open = [0, 1, 0, 0, 0, 1, 0];
		const held = [0, 1, 0.25, 0.25, 0.25, 1, 0];
		return poses.map(
			(pose, place): Waypoint => ({
				at: times[place] as number,
				pose: pose.map((value, joint) =>
					joints[joint]?.gripper && !joints[joint]?.idle
						? (open[place] as number) > 0
							? 1
							: (held[place] as number)
						: value,
				),
				shift: joints.map(({gripper, idle}) =>
					Array.from({length: latents}, () =>
						gripper || idle || place === 0 || place === 6 ? 0 : random.normal(0, 0.05),
					),
				),
			}),
		);
	});
}

const minimumJerk = (share: number) => share ** 3 * (10 - 15 * share + 6 * share * share);

/** The follower of an arm: a delay and a first-order lag, joint by joint. */
function follow(arm: Arm, action: Float32Array, frames: number): Float32Array {
	const dims = arm.joints.length;
	const state = new Float32Array(action.length);
	const delay = arm.delay * arm.fps;
	for (let joint = 0; joint < dims; joint++) {
		const share = 1 - Math.exp(-1 / (arm.lag * (1 + 0.15 * (joint % 3)) * arm.fps));
		let value = action[joint] as number;
		for (let frame = 0; frame < frames; frame++) {
			const at = Math.max(0, frame - delay);
			const before = Math.floor(at);
			const low = action[before * dims + joint] as number;
			const high = action[Math.min(frames - 1, before + 1) * dims + joint] as number;
			value += share * (low + (high - low) * (at - before) - value);
			state[frame * dims + joint] = value;
		}
	}
	return state;
}

/** One healthy demonstration: its own pace, path, object, tremor, and now and then a second try. */
function simulate(
	arm: Arm,
	task: readonly (readonly Waypoint[])[],
	name: string,
	random: Random,
): BenchEpisode {
	const dims = arm.joints.length;
	const mode = task[random.below(task.length)] as readonly Waypoint[];
	const pace = Math.exp(random.normal(0, 0.13));
	const object = Array.from({length: latents}, () => random.normal(0, 1));
	const gaps = mode.map(
		(point, place) => (point.at - (mode[place - 1]?.at ?? 0)) * Math.exp(random.normal(0, 0.14)),
	);
	const hold = mode.map((_, place) =>
		place === 2 || place === 5 ? random.between(0.15, 0.5) : random.chance(0.3) ? random.between(0, 0.25) : 0,
	);
	const points: {time: number; pose: number[]}[] = [];
	let time = 0;
	for (const [place, {pose, shift}] of mode.entries()) {
		time += (gaps[place] as number) * arm.seconds * pace;
		const own = pose.map((value, joint) => {
			const moved = (shift[joint] as readonly number[]).reduce(
				(sum, weight, latent) => sum + weight * (object[latent] as number),
				0,
			);
			const {gripper, idle, span} = arm.joints[joint] as Arm['joints'][number];
			return (
				span *
				(value + (idle ? 0.002 * random.normal(0, 1) : moved + random.normal(0, gripper ? 0.012 : 0.018)))
			);
		});
		points.push({time, pose: own});
		if ((hold[place] as number) > 0) {
			time += hold[place] as number;
			points.push({time, pose: own});
		}
		if (place === 2 && random.chance(0.1)) {
			// A correction at the grasp.
			const near = own.map(
				(value, joint) =>
					value + (arm.joints[joint]?.idle ? 0 : random.normal(0, 0.02) * (arm.joints[joint]?.span ?? 1)),
			);
			time += random.between(0.3, 0.6);
			points.push({time, pose: near});
		}
	}
	const frames = Math.max(60, Math.round((time + random.between(0.2, 0.6)) * arm.fps));
	const action = new Float32Array(frames * dims);
	for (let joint = 0; joint < dims; joint++) {
		const {span, gripper, idle} = arm.joints[joint] as Arm['joints'][number];
		let slow = 0;
		let fast = 0;
		let place = 0;
		const skew = random.normal(0, 0.06);
		for (let frame = 0; frame < frames; frame++) {
			const now = frame / arm.fps;
			while (place < points.length - 1 && (points[place + 1]?.time ?? 0) <= now) place++;
			const from = points[place] as (typeof points)[number];
			const to = points[place + 1] ?? from;
			const begun = now < from.time ? 0 : to.time > from.time ? (now - from.time) / (to.time - from.time) : 0;
			const share = minimumJerk(Math.min(1, Math.max(0, begun + skew * begun * (1 - begun))));
			const quick = gripper ? minimumJerk(Math.min(1, Math.max(0, (begun - 0.55) / 0.45))) : share;
			slow += 0.03 * (random.normal(0, 1) - slow);
			fast += 0.5 * (random.normal(0, 1) - fast);
			const tremble = idle ? 0.0012 * fast : 0.03 * slow + 0.0012 * fast;
			action[frame * dims + joint] =
				(from.pose[joint] as number) +
				((to.pose[joint] as number) - (from.pose[joint] as number)) * quick +
				span * tremble * (gripper ? 0.3 : 1);
		}
	}
	return {action, state: withNoise(arm, follow(arm, action, frames), frames, random), frames, task: name};
}

/** What encoder, load and grasp add to a follower. */
function withNoise(arm: Arm, state: Float32Array, frames: number, random: Random): Float32Array {
	const dims = arm.joints.length;
	for (let joint = 0; joint < dims; joint++) {
		const {span, gripper} = arm.joints[joint] as Arm['joints'][number];
		const sag = span * (0.006 * Math.sin(joint * 2.3) + random.normal(0, 0.0015));
		const step = span * arm.step;
		for (let frame = 0; frame < frames; frame++) {
			const at = frame * dims + joint;
			let value = (state[at] as number) + sag + span * arm.noise * random.normal(0, 0.6);
			// The object in the hand keeps it from closing.
			if (gripper) value = Math.max(value, 0.3 * span + 0.01 * span * Math.sin(frame / 40));
			state[at] = step > 0 ? Math.round(value / step) * step : value;
		}
	}
	return state;
}

/** @param episodes of the group; everything follows from the seed */
export function simulatedBase(arm: Arm, seed: string, episodes: number): Base {
	const random = createRandom(`${seed}/${arm.name}`);
	const task = planTask(arm, `${seed}/${arm.name}/task`);
	const other = planTask(arm, `${seed}/${arm.name}/another task`);
	const make = (count: number, plan: typeof task, name: string) =>
		Array.from({length: count}, () => simulate(arm, plan, name, random));
	return {
		name: arm.name,
		fps: arm.fps,
		names: arm.joints.map(({name}) => `${name}.pos`),
		grippers: arm.joints.flatMap(({gripper, idle}, joint) => (gripper && !idle ? [joint] : [])),
		episodes: make(episodes, task, 'Put the cube in the box'),
		others: make(30, other, 'Stack the two cups'),
		follow: (action, frames) => follow(arm, action, frames),
	};
}
