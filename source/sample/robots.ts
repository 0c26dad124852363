import type {Feature} from '../lerobot/info.ts';
import type {Random} from './random.ts';

/** A finger or gripper dimension and the values it has when the hand is open and closed. */
type Grip = {readonly dim: number; readonly open: number; readonly closed: number};

/** An arm: the dimensions of its joints, and those of its hand. */
export type Limb = {readonly joints: readonly number[]; readonly grips: readonly Grip[]};

/** A simulated robot. Angles are in its own unit, as its real namesake records them. */
export type SampleRobot = {
	readonly type: string;
	readonly fps: number;
	/** The dimensions of action and state. */
	readonly dims: number;
	/** As the real robot's datasets spell them: flat, nested, or an object of lists. */
	readonly names: unknown;
	readonly limbs: readonly Limb[];
	/** One degree in the robot's unit. */
	readonly degree: number;
	/** The angles at rest, in degrees, a row a limb. */
	readonly home: readonly (readonly number[])[];
	/** The encoders' step in degrees. */
	readonly step: number;
	/** Noise of the operator's hand, in degrees, whether it moves or not. */
	readonly handNoise: number;
	/** Factor on its operators' hesitancy: headsets and pairs of arms are harder to move than one arm is. */
	readonly difficulty: number;
	/** Seconds by which the follower trails its leader. */
	readonly lag: number;
	readonly cameras: Readonly<Record<string, readonly [height: number, width: number]>>;
};

const so101Joints = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];

export const so101: SampleRobot = {
	type: 'so101_follower',
	fps: 30,
	dims: 6,
	names: so101Joints.map(joint => `${joint}.pos`),
	limbs: [{joints: range(0, 5), grips: [{dim: 5, open: 38, closed: 2}]}],
	degree: 1,
	home: [[-4, -96, 94, 68, -50]],
	step: 360 / 4096,
	handNoise: 0.015,
	difficulty: 1,
	lag: 0.09,
	cameras: {'observation.images.front': [480, 640], 'observation.images.wrist': [480, 640]},
};

const alohaJoints = ['waist', 'shoulder', 'elbow', 'forearm_roll', 'wrist_angle', 'wrist_rotate', 'gripper'];

export const aloha: SampleRobot = {
	type: 'aloha',
	fps: 50,
	dims: 14,
	names: {motors: ['left', 'right'].flatMap(side => alohaJoints.map(joint => `${side}_${joint}`))},
	limbs: [
		{joints: range(0, 6), grips: [{dim: 6, open: 1, closed: 0.04}]},
		{joints: range(7, 13), grips: [{dim: 13, open: 1, closed: 0.04}]},
	],
	degree: Math.PI / 180,
	home: [
		[0, -55, 66, 0, -17, 0],
		[0, -55, 66, 0, -17, 0],
	],
	step: 360 / 4096,
	handNoise: 0.012,
	difficulty: 1.3,
	lag: 0.05,
	cameras: {
		'observation.images.cam_high': [480, 640],
		'observation.images.cam_left_wrist': [480, 640],
		'observation.images.cam_right_wrist': [480, 640],
	},
};

const armJoints = [
	'ShoulderPitch',
	'ShoulderRoll',
	'ShoulderYaw',
	'Elbow',
	'WristRoll',
	'WristPitch',
	'WristYaw',
];
const fingers = ['Pinky', 'Ring', 'Middle', 'Index', 'ThumbBend', 'ThumbRotation'];

export const humanoid: SampleRobot = {
	type: 'unitree_g1_inspire',
	fps: 30,
	dims: 26,
	names: [
		[
			...['Left', 'Right'].flatMap(side => armJoints.map(joint => `k${side}${joint}`)),
			...['Left', 'Right'].flatMap(side => fingers.map(finger => `k${side}Hand${finger}`)),
		],
	],
	limbs: [
		{joints: range(0, 7), grips: hand(14)},
		{joints: range(7, 14), grips: hand(20)},
	],
	degree: Math.PI / 180,
	home: [
		[12, 14, 0, 55, 0, 0, 0],
		[12, -14, 0, 55, 0, 0, 0],
	],
	step: 0.01,
	// Worn trackers have no rest: a headset's operator never quite stands still.
	handNoise: 0.2,
	difficulty: 2,
	lag: 0.12,
	cameras: {'observation.images.cam_high': [480, 640]},
};

function hand(first: number): Grip[] {
	const closed = [0.18, 0.18, 0.2, 0.22, 0.45, 0.6];
	return closed.map((value, finger) => ({dim: first + finger, open: 0.97, closed: value}));
}

function range(from: number, to: number): number[] {
	return Array.from({length: to - from}, (_, place) => from + place);
}

/** The features of the robot's datasets, telemetry apart. */
export function robotFeatures(robot: SampleRobot): Record<string, Feature> {
	const vector = {dtype: 'float32', shape: [robot.dims], names: robot.names};
	const cameras = Object.entries(robot.cameras).map(([key, [height, width]]): [string, Feature] => [
		key,
		{
			dtype: 'video',
			shape: [height, width, 3],
			names: ['height', 'width', 'channels'],
			info: {
				'video.height': height,
				'video.width': width,
				'video.codec': 'av1',
				'video.pix_fmt': 'yuv420p',
				'video.is_depth_map': false,
				'video.fps': robot.fps,
				'video.channels': 3,
				has_audio: false,
			},
		},
	]);
	return {action: vector, 'observation.state': vector, ...Object.fromEntries(cameras)};
}

/** A person who demonstrates. Their habits are what makes healthy episodes differ in quality. */
export type Operator = {
	readonly name: string;
	/** Factor on the noise of the hand. */
	readonly noise: number;
	/** How often a movement is broken off and taken up again, from 0 to 1. */
	readonly hesitancy: number;
	/** Factor on all times. */
	readonly slowness: number;
};

const ana: Operator = {name: 'ana', noise: 1, hesitancy: 0.08, slowness: 0.95};
const ben: Operator = {name: 'ben', noise: 1.7, hesitancy: 0.25, slowness: 1};
const chi: Operator = {name: 'chi', noise: 2.6, hesitancy: 0.5, slowness: 1.06};

/** The operator of an episode, more or less tired. */
export function pickOperator(random: Random): Operator {
	const draw = random.below(3);
	const operator = draw === 0 ? ana : draw === 1 ? ben : chi;
	return {
		...operator,
		noise: operator.noise * random.between(0.8, 1.3),
		hesitancy: operator.hesitancy * random.between(0.6, 1.4),
	};
}
