import type {Random} from '../../source/sample/random.ts';
import type {Base, BenchEpisode} from './arms.ts';

/** An episode with a fault, and the seconds from and to which it has it; none where it has it all the time. */
export type Planted = {readonly episode: BenchEpisode; readonly moment?: readonly [number, number]};

export type Kind = {
	readonly name: string;
	/** Its size, in words. Spans are a joint's 90 % range in the group. */
	readonly size: string;
	/** Run only at the end, with `--held-out`. */
	readonly heldOut?: true;
	/** Of an episode beside others, not of its motion: none of the quality score's business. */
	readonly ofTheCollection?: true;
	readonly plant: (episode: BenchEpisode, scene: Scene) => Planted;
};

export type Scene = {
	readonly base: Base;
	readonly random: Random;
	/** The 90 % range of each joint in the group. */
	readonly spans: readonly number[];
	/** Joints that the task uses, arms' joints first, grippers left out. */
	readonly moving: readonly number[];
};

/** Reads a course between its frames. */
function at(values: Float32Array, dims: number, frames: number, joint: number, place: number): number {
	const held = Math.min(frames - 1, Math.max(0, place));
	const before = Math.floor(held);
	const low = values[before * dims + joint] as number;
	const high = values[Math.min(frames - 1, before + 1) * dims + joint] as number;
	return low + (high - low) * (held - before);
}

/** Where in the original each frame comes from, in shares of the whole; applied to the action, which the follower follows. */
function warped(episode: BenchEpisode, scene: Scene, from: (share: number) => number): BenchEpisode {
	const {frames, action} = episode;
	const dims = action.length / frames;
	const moved = new Float32Array(action.length);
	for (let frame = 0; frame < frames; frame++) {
		const place = from(frame / (frames - 1)) * (frames - 1);
		for (let joint = 0; joint < dims; joint++)
			moved[frame * dims + joint] = at(action, dims, frames, joint, place);
	}
	return obeyed(episode, moved, scene);
}

/** The episode with another action, which its follower follows with the noise and the gaps that it had. */
function obeyed(episode: BenchEpisode, action: Float32Array, {base}: Scene): BenchEpisode {
	const before = base.follow(episode.action, episode.frames);
	const after = base.follow(action, episode.frames);
	return {
		...episode,
		action,
		state: episode.state.map((value, place) => value - (before[place] as number) + (after[place] as number)),
	};
}

/** The episode with every value of one stream changed. */
function changed(
	episode: BenchEpisode,
	streams: readonly ('action' | 'state')[],
	change: (value: number, frame: number, joint: number) => number,
): BenchEpisode {
	const dims = episode.action.length / episode.frames;
	const result = {action: episode.action, state: episode.state};
	for (const stream of streams) {
		result[stream] = episode[stream].map((value, place) =>
			change(value, Math.floor(place / dims), place % dims),
		);
	}
	return {...episode, ...result};
}

const smooth = (share: number) => {
	const held = Math.min(1, Math.max(0, share));
	return held * held * (3 - 2 * held);
};

/** One of the joints that the task uses most. */
const joint = ({moving, random}: Scene) => moving[random.below(Math.min(4, moving.length))] as number;
const seconds = ({frames}: BenchEpisode, {base}: Scene) => frames / base.fps;
const both = ['action', 'state'] as const;

/** A stretch of an episode away from its ends, in shares. */
function stretch(length: number, random: Random): [number, number] {
	const from = random.between(0.15, 0.85 - length);
	return [from, from + length];
}

/** As `[from, to]` in seconds. */
const moment = (episode: BenchEpisode, scene: Scene, from: number, to: number): [number, number] => [
	from * seconds(episode, scene),
	to * seconds(episode, scene),
];

/** Adds something to a joint of the leader that the follower follows. */
function led(
	episode: BenchEpisode,
	scene: Scene,
	change: (share: number, joint: number) => number,
): BenchEpisode {
	const dims = episode.action.length / episode.frames;
	const action = episode.action.map(
		(value, place) => value + change(Math.floor(place / dims) / episode.frames, place % dims),
	);
	return obeyed(episode, action, scene);
}

/** The stretch in which a gripper is most closed, in frames; its level when closed and open. */
function grasp({action, frames}: BenchEpisode, {base, spans}: Scene) {
	const dims = action.length / frames;
	const gripper = base.grippers[0] ?? spans.indexOf(Math.max(...spans));
	let best: [number, number] = [0, 0];
	let low = Number.POSITIVE_INFINITY;
	let high = Number.NEGATIVE_INFINITY;
	for (let frame = 0; frame < frames; frame++) {
		low = Math.min(low, action[frame * dims + gripper] as number);
		high = Math.max(high, action[frame * dims + gripper] as number);
	}
	const middle = (low + high) / 2;
	let begun = -1;
	for (let frame = Math.round(frames * 0.12); frame < frames * 0.92; frame++) {
		const closed = (action[frame * dims + gripper] as number) < middle;
		if (closed && begun < 0) begun = frame;
		if (!closed && begun >= 0) {
			if (frame - begun > best[1] - best[0]) best = [begun, frame];
			begun = -1;
		}
	}
	if (begun >= 0 && best[1] === 0) best = [begun, Math.round(frames * 0.92)];
	if (best[1] === 0) best = [Math.round(frames * 0.4), Math.round(frames * 0.7)];
	return {gripper, from: best[0], to: best[1], low, high};
}

/** Written down before the judgement was made; sizes stay as they are. */
export const kinds: readonly Kind[] = [
	// The course of the task.
	{
		name: 'long pause',
		size: 'stands still for 20 % of the episode, the rest the faster',
		plant(episode, scene) {
			const from = scene.random.between(0.2, 0.6);
			const still = 0.2;
			const source = (share: number) =>
				(share < from ? share : share < from + still ? from : share - still) / (1 - still);
			return {
				episode: warped(episode, scene, share => source(share)),
				moment: moment(episode, scene, from, from + still),
			};
		},
	},
	{
		name: 'late start',
		size: 'the first 20 % without motion, the rest the faster',
		plant: (episode, scene) => ({
			episode: warped(episode, scene, share => Math.max(0, share - 0.2) / 0.8),
			moment: moment(episode, scene, 0, 0.2),
		}),
	},
	{
		name: 'early end',
		size: 'all done after 75 %, then without motion',
		heldOut: true,
		plant: (episode, scene) => ({
			episode: warped(episode, scene, share => Math.min(1, share / 0.75)),
			moment: moment(episode, scene, 0.75, 1),
		}),
	},
	{
		name: 'phase skipped',
		size: '25 % of the course left out, its ends joined within 0.3 s',
		plant(episode, scene) {
			const [from] = stretch(0.25, scene.random);
			const join = 0.3 / seconds(episode, scene);
			const edge = from / 0.75;
			const source = (share: number) => {
				const place = share * 0.75;
				return place < from ? place : place + 0.25;
			};
			const cut = warped(episode, scene, source);
			return {
				episode: blended(cut, scene, [edge], join),
				moment: moment(episode, scene, edge - join, edge + join),
			};
		},
	},
	{
		name: 'played backwards',
		size: 'the whole course in reverse',
		plant: (episode, scene) => ({episode: warped(episode, scene, share => 1 - share)}),
	},
	{
		name: 'phases swapped',
		size: 'two neighbouring quarters of the course exchanged',
		heldOut: true,
		plant(episode, scene) {
			const source = (share: number) =>
				share < 0.25 || share >= 0.75 ? share : share < 0.5 ? share + 0.25 : share - 0.25;
			const cut = warped(episode, scene, source);
			return {
				episode: blended(cut, scene, [0.25, 0.5, 0.75], 0.3 / seconds(episode, scene)),
				moment: moment(episode, scene, 0.25, 0.75),
			};
		},
	},
	{
		name: 'detour',
		size: 'three joints leave the course by 35 % of their spans for 20 % of the time',
		plant(episode, scene) {
			const [from, to] = stretch(0.2, scene.random);
			const by = scene.moving
				.slice(0, 3)
				.map(
					each => [each, 0.35 * (scene.spans[each] as number) * (scene.random.chance(0.5) ? 1 : -1)] as const,
				);
			const bow = (share: number) =>
				share > from && share < to ? Math.sin((Math.PI * (share - from)) / (to - from)) ** 2 : 0;
			return {
				episode: led(
					episode,
					scene,
					(share, each) => (by.find(([one]) => one === each)?.[1] ?? 0) * bow(share),
				),
				moment: moment(episode, scene, from, to),
			};
		},
	},
	{
		name: 'early release',
		size: 'the gripper opens after 40 % of its grasp',
		plant(episode, scene) {
			const {gripper, from, to, high} = grasp(episode, scene);
			const dims = episode.action.length / episode.frames;
			const release = from + 0.4 * (to - from);
			const action = episode.action.map((value, place) => {
				const frame = Math.floor(place / dims);
				if (place % dims !== gripper || frame < release || frame > to) return value;
				return value + (high - value) * smooth((frame - release) / (0.3 * scene.base.fps));
			});
			return {
				episode: obeyed(episode, action, scene),
				moment: [release / scene.base.fps, to / scene.base.fps],
			};
		},
	},
	{
		name: 'never reopens',
		size: 'the gripper stays closed from its grasp to the end',
		heldOut: true,
		plant(episode, scene) {
			const {gripper, to} = grasp(episode, scene);
			const dims = episode.action.length / episode.frames;
			const held = Math.max(0, to - Math.round(0.5 * scene.base.fps));
			const level = episode.action[held * dims + gripper] as number;
			const action = episode.action.map((value, place) =>
				place % dims === gripper && Math.floor(place / dims) > held ? level : value,
			);
			return {
				episode: obeyed(episode, action, scene),
				moment: [held / scene.base.fps, seconds(episode, scene)],
			};
		},
	},
	{
		name: 'never closes',
		size: 'the gripper stays open where it should hold',
		plant(episode, scene) {
			const {gripper, from, to, high} = grasp(episode, scene);
			const dims = episode.action.length / episode.frames;
			const lead = Math.round(0.4 * scene.base.fps);
			const action = episode.action.map((value, place) => {
				const frame = Math.floor(place / dims);
				return place % dims === gripper && frame > from - lead && frame < to + lead ? high : value;
			});
			return {
				episode: obeyed(episode, action, scene),
				moment: [(from - lead) / scene.base.fps, (to + lead) / scene.base.fps],
			};
		},
	},
	{
		name: 'second try',
		size: 'goes back over 15 % of the course and does it again, the rest the faster',
		plant(episode, scene) {
			const [, to] = stretch(0.15, scene.random);
			const whole = 1.3;
			const source = (share: number) => {
				const place = share * whole;
				return place < to ? place : place < to + 0.15 ? to - (place - to) : place - 0.3;
			};
			return {
				episode: warped(episode, scene, source),
				moment: moment(episode, scene, to / whole, (to + 0.3) / whole),
			};
		},
	},
	{
		name: 'stop and go',
		size: 'halts eight times for 4 % of the episode each',
		heldOut: true,
		plant(episode, scene) {
			const source = (share: number) => {
				const part = Math.min(7, Math.floor(share * 8));
				const within = share * 8 - part;
				return (part + Math.min(1, within / 0.68)) / 8;
			};
			return {episode: warped(episode, scene, source)};
		},
	},
	{
		name: 'broken off',
		size: 'the last 20 % of the course missing, the rest the slower',
		plant: (episode, scene) => ({
			episode: warped(episode, scene, share => share * 0.8),
			moment: moment(episode, scene, 0.9, 1),
		}),
	},
	{
		name: 'another goal',
		size: 'two joints off by 30 % of their spans in the second half',
		plant(episode, scene) {
			const by = scene.moving
				.slice(0, 2)
				.map(
					each => [each, 0.3 * (scene.spans[each] as number) * (scene.random.chance(0.5) ? 1 : -1)] as const,
				);
			return {
				episode: led(
					episode,
					scene,
					(share, each) => (by.find(([one]) => one === each)?.[1] ?? 0) * smooth((share - 0.45) / 0.1),
				),
				moment: moment(episode, scene, 0.45, 1),
			};
		},
	},
	{
		name: 'another start',
		size: 'two joints begin 25 % of their spans off, and come back within 15 %',
		heldOut: true,
		plant(episode, scene) {
			const by = scene.moving
				.slice(0, 2)
				.map(
					each => [each, 0.25 * (scene.spans[each] as number) * (scene.random.chance(0.5) ? 1 : -1)] as const,
				);
			return {
				episode: led(
					episode,
					scene,
					(share, each) => (by.find(([one]) => one === each)?.[1] ?? 0) * (1 - smooth(share / 0.15)),
				),
				moment: moment(episode, scene, 0, 0.15),
			};
		},
	},
	{
		name: 'a joint in miniature',
		size: 'one joint goes 60 % as far, leader and follower',
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			const start = episode.action[chosen] as number;
			const action = episode.action.map((value, place) =>
				place % dims === chosen ? start + 0.6 * (value - start) : value,
			);
			return {episode: obeyed(episode, action, scene)};
		},
	},
	{
		name: 'a joint mirrored',
		size: 'one joint to the other side of where it begins, leader and follower',
		heldOut: true,
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			const start = episode.action[chosen] as number;
			const action = episode.action.map((value, place) =>
				place % dims === chosen ? 2 * start - value : value,
			);
			return {episode: obeyed(episode, action, scene)};
		},
	},
	{
		name: 'rushed',
		size: 'the middle half of the course in 25 % of the time, the ends the slower',
		plant(episode, scene) {
			const source = (share: number) =>
				share < 0.375
					? (share / 0.375) * 0.25
					: share < 0.625
						? 0.25 + ((share - 0.375) / 0.25) * 0.5
						: 0.75 + ((share - 0.625) / 0.375) * 0.25;
			return {episode: warped(episode, scene, source), moment: moment(episode, scene, 0.375, 0.625)};
		},
	},
	// Noise.
	{
		name: 'tremor',
		size: '6 Hz at 1.5 % of the spans in the leader, followed',
		plant(episode, scene) {
			const phase = scene.random.between(0, 6);
			const length = seconds(episode, scene);
			return {
				episode: led(
					episode,
					scene,
					(share, each) =>
						0.015 * (scene.spans[each] as number) * Math.sin(2 * Math.PI * 6 * share * length + phase + each),
				),
			};
		},
	},
	{
		name: 'smooth noise in the action',
		size: 'slow noise (1 s) of 3 % of the spans that the follower does not see',
		plant: (episode, scene) => ({episode: noisy(episode, scene, ['action'], 0.03, 1)}),
	},
	{
		name: 'white noise in the action',
		size: '1 % of the spans, frame by frame',
		heldOut: true,
		plant: (episode, scene) => ({episode: noisy(episode, scene, ['action'], 0.01, 0)}),
	},
	{
		name: 'noisy encoder',
		size: 'white noise of 1.5 % of its span in the state of one joint',
		plant(episode, scene) {
			const chosen = joint(scene);
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? value + 0.015 * (scene.spans[each] as number) * scene.random.normal(0, 1) : value,
				),
			};
		},
	},
	{
		name: 'coarse action',
		size: 'the action in steps of 3 % of the spans',
		plant: (episode, scene) => ({
			episode: changed(episode, ['action'], (value, _, each) => {
				const step = 0.03 * (scene.spans[each] as number);
				return step > 0 ? Math.round(value / step) * step : value;
			}),
		}),
	},
	{
		name: 'held action',
		size: 'the action renewed every sixth frame only',
		heldOut: true,
		plant(episode) {
			const dims = episode.action.length / episode.frames;
			return {
				episode: changed(
					episode,
					['action'],
					(_, frame, each) => episode.action[(frame - (frame % 6)) * dims + each] as number,
				),
			};
		},
	},
	// State beside action.
	{
		name: 'dead follower joint',
		size: 'the state of one joint stays where it begins',
		plant(episode, scene) {
			const chosen = joint(scene);
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? (episode.state[chosen] as number) : value,
				),
			};
		},
	},
	{
		name: 'follower freezes',
		size: 'the whole state stays from 60 % on',
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const from = Math.round(0.6 * episode.frames);
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					frame < from ? value : (episode.state[from * dims + each] as number),
				),
				moment: moment(episode, scene, 0.6, 1),
			};
		},
	},
	{
		name: 'a joint of the follower freezes',
		size: 'the state of one joint stays from half on',
		heldOut: true,
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			const from = Math.round(0.5 * episode.frames);
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					frame < from || each !== chosen ? value : (episode.state[from * dims + each] as number),
				),
				moment: moment(episode, scene, 0.5, 1),
			};
		},
	},
	{
		name: 'offset',
		size: 'the state of one joint 4 % of its span off',
		plant(episode, scene) {
			const chosen = joint(scene);
			const by = 0.04 * (scene.spans[chosen] as number) * (scene.random.chance(0.5) ? 1 : -1);
			return {
				episode: changed(episode, ['state'], (value, _, each) => (each === chosen ? value + by : value)),
			};
		},
	},
	{
		name: 'slip',
		size: 'the state of one joint 6 % of its span off from a moment on',
		plant(episode, scene) {
			const chosen = joint(scene);
			const by = 0.06 * (scene.spans[chosen] as number) * (scene.random.chance(0.5) ? 1 : -1);
			const from = scene.random.between(0.3, 0.7);
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					each === chosen && frame >= from * episode.frames ? value + by : value,
				),
				moment: moment(episode, scene, from, 1),
			};
		},
	},
	{
		name: 'scale',
		size: 'the state of one joint 8 % too great about where it begins',
		heldOut: true,
		plant(episode, scene) {
			const chosen = joint(scene);
			const start = episode.state[chosen] as number;
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? start + 1.08 * (value - start) : value,
				),
			};
		},
	},
	{
		name: 'lag',
		size: 'the whole state three frames later',
		plant(episode) {
			const dims = episode.action.length / episode.frames;
			return {
				episode: changed(
					episode,
					['state'],
					(_, frame, each) => episode.state[Math.max(0, frame - 3) * dims + each] as number,
				),
			};
		},
	},
	{
		name: 'lag of one joint',
		size: 'the state of one joint six frames later',
		heldOut: true,
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					each === chosen ? (episode.state[Math.max(0, frame - 6) * dims + each] as number) : value,
				),
			};
		},
	},
	{
		name: 'action late',
		size: 'the action five frames later, so that the state comes first',
		plant(episode) {
			const dims = episode.action.length / episode.frames;
			return {
				episode: changed(
					episode,
					['action'],
					(_, frame, each) => episode.action[Math.max(0, frame - 5) * dims + each] as number,
				),
			};
		},
	},
	{
		name: 'other units',
		size: 'the state of one joint in radians where degrees are meant',
		plant(episode, scene) {
			const chosen = joint(scene);
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? (value * Math.PI) / 180 : value,
				),
			};
		},
	},
	{
		name: 'sign',
		size: 'the state of one joint with the other sign, about where it begins',
		heldOut: true,
		plant(episode, scene) {
			const chosen = joint(scene);
			const start = episode.state[chosen] as number;
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? 2 * start - value : value,
				),
			};
		},
	},
	{
		name: 'jump of the state',
		size: 'three frames of one joint 15 % of its span off',
		plant(episode, scene) {
			const chosen = joint(scene);
			const by = 0.15 * (scene.spans[chosen] as number) * (scene.random.chance(0.5) ? 1 : -1);
			const from = Math.round(scene.random.between(0.2, 0.8) * episode.frames);
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					each === chosen && frame >= from && frame < from + 3 ? value + by : value,
				),
				moment: [from / scene.base.fps, (from + 3) / scene.base.fps],
			};
		},
	},
	{
		name: 'jump of the action',
		size: 'three frames of one joint 15 % of its span off',
		heldOut: true,
		plant(episode, scene) {
			const chosen = joint(scene);
			const by = 0.15 * (scene.spans[chosen] as number) * (scene.random.chance(0.5) ? 1 : -1);
			const from = Math.round(scene.random.between(0.2, 0.8) * episode.frames);
			return {
				episode: changed(episode, ['action'], (value, frame, each) =>
					each === chosen && frame >= from && frame < from + 3 ? value + by : value,
				),
				moment: [from / scene.base.fps, (from + 3) / scene.base.fps],
			};
		},
	},
	{
		name: 'joints exchanged in the state',
		size: 'the channels of two joints',
		plant(episode, {moving}) {
			const dims = episode.action.length / episode.frames;
			const [one = 0, two = 1] = moving;
			return {
				episode: changed(episode, ['state'], (value, frame, each) =>
					each === one
						? (episode.state[frame * dims + two] as number)
						: each === two
							? (episode.state[frame * dims + one] as number)
							: value,
				),
			};
		},
	},
	{
		name: 'slack',
		size: 'the state of one joint follows only beyond 3 % of its span',
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			const play = 0.03 * (scene.spans[chosen] as number);
			const state = Float32Array.from(episode.state);
			let held = state[chosen] as number;
			for (let frame = 0; frame < episode.frames; frame++) {
				const value = episode.state[frame * dims + chosen] as number;
				if (value > held + play) held = value - play;
				else if (value < held - play) held = value + play;
				state[frame * dims + chosen] = held;
			}
			return {episode: {...episode, state}};
		},
	},
	{
		name: 'stalled at a limit',
		size: 'the state of one joint stops at 75 % of its way, as at a stop',
		heldOut: true,
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const chosen = joint(scene);
			let low = Number.POSITIVE_INFINITY;
			let high = Number.NEGATIVE_INFINITY;
			for (let frame = 0; frame < episode.frames; frame++) {
				low = Math.min(low, episode.state[frame * dims + chosen] as number);
				high = Math.max(high, episode.state[frame * dims + chosen] as number);
			}
			const limit = low + 0.75 * (high - low);
			return {
				episode: changed(episode, ['state'], (value, _, each) =>
					each === chosen ? Math.min(value, limit) : value,
				),
			};
		},
	},
	{
		name: 'leader drops out',
		size: 'the action stays for 1 s and jumps back, the state goes on',
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const from = Math.round(scene.random.between(0.25, 0.6) * episode.frames);
			const to = from + scene.base.fps;
			return {
				episode: changed(episode, ['action'], (value, frame, each) =>
					frame < from || frame >= to ? value : (episode.action[from * dims + each] as number),
				),
				moment: [from / scene.base.fps, to / scene.base.fps],
			};
		},
	},
	{
		name: 'frames missing in the middle',
		size: '0.7 s cut out without a trace in the timestamps; as many stand still at the end',
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const from = Math.round(scene.random.between(0.25, 0.65) * episode.frames);
			const gap = Math.round(0.7 * scene.base.fps);
			const shifted = (values: Float32Array) => (_: number, frame: number, each: number) =>
				values[Math.min(episode.frames - 1, frame < from ? frame : frame + gap) * dims + each] as number;
			return {
				episode: {
					...episode,
					action: changed(episode, ['action'], shifted(episode.action)).action,
					state: changed(episode, ['state'], shifted(episode.state)).state,
				},
				moment: [from / scene.base.fps, from / scene.base.fps],
			};
		},
	},
	{
		name: 'frames repeated',
		size: 'everything stays for 0.6 s, then jumps to where it would be',
		heldOut: true,
		plant(episode, scene) {
			const dims = episode.action.length / episode.frames;
			const from = Math.round(scene.random.between(0.25, 0.65) * episode.frames);
			const to = from + Math.round(0.6 * scene.base.fps);
			const stuck = (values: Float32Array) => (value: number, frame: number, each: number) =>
				frame < from || frame >= to ? value : (values[from * dims + each] as number);
			return {
				episode: {
					...episode,
					action: changed(episode, ['action'], stuck(episode.action)).action,
					state: changed(episode, ['state'], stuck(episode.state)).state,
				},
				moment: [from / scene.base.fps, to / scene.base.fps],
			};
		},
	},
	{
		name: "another episode's action",
		size: 'the action of a sibling at equal shares of the time',
		plant(episode, {base, random}) {
			const other = base.episodes[random.below(base.episodes.length)] as BenchEpisode;
			const dims = episode.action.length / episode.frames;
			return {
				episode: changed(episode, ['action'], (_, frame, each) =>
					at(other.action, dims, other.frames, each, (frame / episode.frames) * other.frames),
				),
			};
		},
	},
	// Recording and bookkeeping.
	{
		name: 'dropped frames',
		size: 'ten frames missing by the timestamps, all at one moment',
		plant(episode, scene) {
			const from = Math.round(scene.random.between(0.2, 0.8) * episode.frames);
			const timestamps = Float64Array.from(
				{length: episode.frames},
				(_, frame) => (frame + (frame >= from ? 10 : 0)) / scene.base.fps,
			);
			return {
				episode: {...episode, timestamps},
				moment: [from / scene.base.fps, (from + 10) / scene.base.fps],
			};
		},
	},
	{
		name: 'camera out of step',
		size: 'a camera spans 0.5 s less',
		heldOut: true,
		plant: episode => ({episode: {...episode, cameraSkew: -0.5}}),
	},
	{
		name: 'duplicate',
		size: 'an episode once more, value by value',
		ofTheCollection: true,
		plant: (_, {base, random}) => ({
			episode: base.episodes[random.below(base.episodes.length)] as BenchEpisode,
		}),
	},
	{
		name: 'near duplicate',
		size: 'an episode once more, three frames shorter at the end, noise of 0.02 % of the spans',
		ofTheCollection: true,
		heldOut: true,
		plant(_, scene) {
			const source = scene.base.episodes[scene.random.below(scene.base.episodes.length)] as BenchEpisode;
			const dims = source.action.length / source.frames;
			const frames = source.frames - 3;
			const cut = {
				...source,
				frames,
				action: source.action.slice(0, frames * dims),
				state: source.state.slice(0, frames * dims),
			};
			return {
				episode: changed(
					cut,
					both,
					(value, _frame, each) => value + 0.0002 * (scene.spans[each] as number) * scene.random.normal(0, 1),
				),
			};
		},
	},
	{
		name: 'wrong label',
		size: 'an episode of another task under this one',
		ofTheCollection: true,
		plant: (episode, {base, random}) => ({
			episode: {...(base.others[random.below(base.others.length)] as BenchEpisode), task: episode.task},
		}),
	},
	{
		name: 'mistyped task',
		size: 'two letters of the task exchanged, each time otherwise',
		ofTheCollection: true,
		plant(episode, {random}) {
			const place = 1 + random.below(episode.task.length - 3);
			const {task} = episode;
			const exchanged = `${task.slice(0, place)}${task[place + 1]}${task[place]}${task.slice(place + 2)}`;
			return {episode: {...episode, task: exchanged === task ? `${task}e` : exchanged}};
		},
	},
];

/** Joins what a cut left apart: between the ends of each seam the course is straight and smooth. */
function blended(episode: BenchEpisode, scene: Scene, seams: readonly number[], width: number): BenchEpisode {
	const dims = episode.action.length / episode.frames;
	const action = Float32Array.from(episode.action);
	for (const seam of seams) {
		const from = Math.max(0, Math.round((seam - width / 2) * episode.frames));
		const to = Math.min(episode.frames - 1, Math.round((seam + width / 2) * episode.frames));
		for (let frame = from; frame <= to; frame++) {
			const share = smooth((frame - from) / Math.max(1, to - from));
			for (let each = 0; each < dims; each++) {
				const low = episode.action[from * dims + each] as number;
				action[frame * dims + each] = low + ((episode.action[to * dims + each] as number) - low) * share;
			}
		}
	}
	return obeyed(episode, action, scene);
}

/** Noise of a share of the spans, smooth over some seconds. */
function noisy(
	episode: BenchEpisode,
	scene: Scene,
	streams: readonly ('action' | 'state')[],
	size: number,
	memory: number,
): BenchEpisode {
	const {random, spans, base} = scene;
	const keep = memory === 0 ? 0 : Math.exp(-1 / ((memory / 2) * base.fps));
	const noise = spans.map(() => ({first: random.normal(0, 1), second: 0}));
	return changed(episode, streams, (value, _, each) => {
		const one = noise[each] as (typeof noise)[number];
		one.first = keep * one.first + Math.sqrt(1 - keep * keep) * random.normal(0, 1);
		one.second = keep === 0 ? one.first : one.second + (1 - keep) * (one.first - one.second);
		return value + size * (spans[each] as number) * one.second * (keep === 0 ? 1 : 1.4);
	});
}
