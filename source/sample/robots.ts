import type {Feature} from '../lerobot/info.ts';
import type {Random} from './random.ts';

/** A finger or gripper dimension and the values it has when the hand is open and closed. */
type Grip = {readonly dim: number; readonly open: number; readonly closed: number};

/** An arm: the dimensions of its joints, those of its hand, and how it is built. */
export type Limb = {
	readonly joints: readonly number[];
	readonly grips: readonly Grip[];
	/** Where it is mounted, and how far it is turned there, in degrees. */
	readonly mount: {readonly at: Point; readonly turned: number};
	readonly links: readonly Link[];
	readonly fingers: {readonly length: number; readonly spread: number};
};

/** Metres: ahead of the robot, to its left, upwards. */
export type Point = readonly [x: number, y: number, z: number];

/** A link of an arm: it is turned about axes of the link before it, then reaches along its own z. */
export type Link = {
	readonly turns: readonly Turn[];
	/** Metres; below 0 where it hangs. */
	readonly reach: number;
	readonly width: number;
};

/** A turn by a joint (its place among the limb's), backwards where the sign is −1, or by a fixed angle in degrees. */
type Turn = {readonly axis: 'x' | 'y' | 'z'} & (
	| {readonly joint: number; readonly sign?: -1}
	| {readonly degrees: number}
);

/** A camera: where it stands, where it looks, and the distance of the picture in widths of it. */
export type Camera = {
	readonly at: Point;
	readonly looksAt: Point;
	readonly focus: number;
};

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
	readonly cameras: Readonly<Record<string, Camera>>;
	/** The table's middle, and how far it reaches from there. */
	readonly table: readonly [middle: readonly [x: number, y: number], half: readonly [x: number, y: number]];
	/** The background behind the arms. */
	readonly body?: {readonly from: Point; readonly to: Point; readonly width: number};
};

/** Pixels of every camera's picture. */
export const pictureSize = {width: 64, height: 48} as const;

const so101Joints = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];

export const so101: SampleRobot = {
	type: 'so101_follower',
	fps: 30,
	dims: 6,
	names: so101Joints.map(joint => `${joint}.pos`),
	limbs: [
		{
			joints: range(0, 5),
			grips: [{dim: 5, open: 38, closed: 2}],
			mount: {at: [0, 0, 0], turned: 0},
			links: [
				{turns: [turn('z', 0)], reach: 0.1, width: 0.07},
				{turns: [turn('y', 1)], reach: 0.13, width: 0.042},
				{turns: [{axis: 'y', degrees: 90}, turn('y', 2)], reach: 0.14, width: 0.036},
				{turns: [turn('y', 3), turn('z', 4)], reach: 0.06, width: 0.04},
			],
			fingers: {length: 0.06, spread: 0.035},
		},
	],
	degree: 1,
	home: [[-4, -96, 94, 68, -50]],
	step: 360 / 4096,
	handNoise: 0.015,
	difficulty: 1,
	lag: 0.09,
	cameras: {
		'observation.images.front': {at: [0.62, -0.34, 0.36], looksAt: [0.15, 0.01, 0.1], focus: 1.45},
	},
	table: [
		[0.14, 0],
		[0.3, 0.36],
	],
};

const alohaJoints = ['waist', 'shoulder', 'elbow', 'forearm_roll', 'wrist_angle', 'wrist_rotate', 'gripper'];

export const aloha: SampleRobot = {
	type: 'aloha',
	fps: 50,
	dims: 14,
	names: {motors: ['left', 'right'].flatMap(side => alohaJoints.map(joint => `${side}_${joint}`))},
	limbs: [
		{...viperX([0, 0.46, 0], -90), joints: range(0, 6), grips: [{dim: 6, open: 1, closed: 0.04}]},
		{...viperX([0, -0.46, 0], 90), joints: range(7, 13), grips: [{dim: 13, open: 1, closed: 0.04}]},
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
		'observation.images.cam_high': {at: [-0.95, 0, 0.72], looksAt: [0, 0, 0.12], focus: 0.85},
	},
	table: [
		[0, 0],
		[0.36, 0.62],
	],
};

/** One of a pair of arms, which stand face to face. */
function viperX(at: Point, turned: number): Pick<Limb, 'mount' | 'links' | 'fingers'> {
	return {
		mount: {at, turned},
		links: [
			{turns: [turn('z', 0)], reach: 0.12, width: 0.1},
			{turns: [turn('y', 1)], reach: 0.3, width: 0.06},
			{turns: [{axis: 'y', degrees: 90}, turn('y', 2), turn('z', 3)], reach: 0.28, width: 0.05},
			{turns: [turn('y', 4), turn('z', 5)], reach: 0.1, width: 0.05},
		],
		fingers: {length: 0.08, spread: 0.05},
	};
}

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
		{...humanArm([0, 0.16, 0.42]), joints: range(0, 7), grips: hand(14)},
		{...humanArm([0, -0.16, 0.42]), joints: range(7, 14), grips: hand(20)},
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
	cameras: {
		'observation.images.cam_high': {at: [1.1, -0.3, 0.62], looksAt: [0.12, 0, 0.2], focus: 0.95},
	},
	table: [
		[0.36, 0],
		[0.26, 0.5],
	],
	body: {from: [-0.03, 0, -0.1], to: [-0.03, 0, 0.44], width: 0.24},
};

function humanArm(at: Point): Pick<Limb, 'mount' | 'links' | 'fingers'> {
	return {
		mount: {at, turned: 0},
		links: [
			{turns: [turn('y', 0), turn('x', 1), turn('z', 2)], reach: -0.22, width: 0.075},
			{turns: [turn('y', 3, -1), turn('z', 4)], reach: -0.2, width: 0.06},
			{turns: [turn('y', 5), turn('x', 6)], reach: -0.07, width: 0.065},
		],
		fingers: {length: -0.07, spread: 0.04},
	};
}

function turn(axis: 'x' | 'y' | 'z', joint: number, sign?: -1): Turn {
	return {axis, joint, ...(sign && {sign})};
}

function hand(first: number): Grip[] {
	const closed = [0.18, 0.18, 0.2, 0.22, 0.45, 0.6];
	return closed.map((value, finger) => ({dim: first + finger, open: 0.97, closed: value}));
}

function range(from: number, to: number): number[] {
	return Array.from({length: to - from}, (_, place) => from + place);
}

/** How pictures are kept: in videos of a codec, or in the data files. */
export type PictureForm = {readonly codec: string} | 'data';

/** The features of the robot's datasets, telemetry apart. */
export function robotFeatures(robot: SampleRobot, form: PictureForm): Record<string, Feature> {
	const vector = {dtype: 'float32', shape: [robot.dims], names: robot.names};
	const {width, height} = pictureSize;
	const picture = {shape: [height, width, 3], names: ['height', 'width', 'channels']};
	const cameras = Object.keys(robot.cameras).map((key): [string, Feature] => [
		key,
		form === 'data'
			? {dtype: 'image', ...picture}
			: {dtype: 'video', ...picture, info: videoInfo(form.codec, robot.fps)},
	]);
	return {action: vector, 'observation.state': vector, ...Object.fromEntries(cameras)};
}

function videoInfo(codec: string, fps: number): object {
	return {
		'video.height': pictureSize.height,
		'video.width': pictureSize.width,
		'video.codec': codec,
		'video.pix_fmt': 'yuv420p',
		'video.is_depth_map': false,
		'video.fps': fps,
		'video.channels': 3,
		has_audio: false,
	};
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
