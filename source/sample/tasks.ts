import {aloha, humanoid, type Point, type SampleRobot, so101} from './robots.ts';

/** A move's target, which also decides how much it varies between episodes. */
export type Location = 'home' | 'object' | 'goal';

/** A limb's part of a move; joints in degrees, the hand from 0 (closed) to 1 (open). */
type LimbTarget = {readonly joints?: readonly number[]; readonly hand?: number};

/** One move of the demonstration. A limb without a target stays. */
export type Move = {
	/** The subtask it belongs to. */
	readonly subtask: string;
	/** Seconds it usually takes. */
	readonly seconds: number;
	readonly place: Location;
	readonly limbs: readonly LimbTarget[];
};

/** How a task is done with a robot. */
export type TaskProgram = {
	readonly task: string;
	readonly robot: SampleRobot;
	readonly moves: readonly Move[];
	/** Things on the table for cameras to see, the hindmost first. */
	readonly things: readonly Thing[];
};

/** A thing on the table, where the limb's hand is after one of the moves. */
export type Thing = {
	readonly shape: 'block' | 'cup' | 'cloth';
	readonly color: readonly [red: number, green: number, blue: number];
	/** Metres; of a cloth how far it spreads from the corner that is taken first. */
	readonly size: Point;
	readonly limb: number;
	/** The place in the moves. */
	readonly after: number;
	/** Metres from there. */
	readonly beside?: Point;
	/** The act of a hand that closes there. @default it carries it */
	readonly held?: 'stays' | 'slides';
};

function move(subtask: string, seconds: number, place: Location, ...limbs: LimbTarget[]): Move {
	return {subtask, seconds, place, limbs};
}

function joints(...angles: number[]): LimbTarget {
	return {joints: angles};
}

const open: LimbTarget = {hand: 0.9};
const close: LimbTarget = {hand: 0.05};
const stay: LimbTarget = {};

function home({home: rest}: SampleRobot): LimbTarget[] {
	return rest.map(angles => ({joints: angles, hand: 0.05}));
}

export const foldTowel: TaskProgram = {
	task: 'Fold the towel',
	robot: so101,
	things: [{shape: 'cloth', color: [92, 148, 214], size: [0.11, 0.16, 0], limb: 0, after: 2}],
	moves: [
		move('reach', 1.9, 'object', {joints: [-26, 4, 22, 66, -48], hand: 0.9}),
		move('grasp', 1.1, 'object', joints(-27, 34, 2, 70, -48)),
		move('grasp', 0.5, 'object', close),
		move('fold', 1.2, 'goal', joints(-24, -12, 34, 68, -46)),
		move('fold', 1.7, 'goal', joints(14, -8, 30, 70, -40)),
		move('fold', 1.1, 'goal', joints(18, 30, 4, 72, -40)),
		move('fold', 0.5, 'goal', open),
		move('fold', 1.6, 'object', joints(4, 6, 26, 60, 12)),
		move('fold', 1.0, 'object', joints(3, 38, -2, 66, 14)),
		move('fold', 0.5, 'object', close),
		move('fold', 1.2, 'goal', joints(0, -4, 30, 64, 12)),
		move('fold', 1.4, 'goal', joints(-16, 24, 8, 70, 8)),
		move('release', 0.5, 'goal', open),
		move('release', 0.9, 'goal', joints(-14, -8, 28, 66, 0)),
		move('release', 1.7, 'home', ...home(so101)),
	],
};

export const pickCube: TaskProgram = {
	task: 'Pick the red cube and place it in the box',
	robot: so101,
	things: [
		{
			...{shape: 'block', held: 'stays', color: [150, 110, 70], size: [0.1, 0.1, 0.035], limb: 0, after: 5},
			beside: [0, 0, 0],
		},
		{shape: 'block', color: [214, 52, 46], size: [0.035, 0.035, 0.035], limb: 0, after: 2},
	],
	moves: [
		move('reach', 1.5, 'object', {joints: [-30, 10, 18, 70, -50], hand: 0.8}),
		move('grasp', 0.8, 'object', joints(-30, 36, 0, 74, -50)),
		move('grasp', 0.45, 'object', close),
		move('transport', 0.9, 'goal', joints(-26, -14, 32, 72, -50)),
		move('transport', 1.3, 'goal', joints(34, 2, 22, 72, -46)),
		move('release', 0.45, 'goal', open),
		move('release', 1.5, 'home', ...home(so101)),
	],
};

const wipe = [28, -24, 30, -20, 24, -28].map((pan, stroke) =>
	move('wipe', 0.95, 'goal', joints(pan, 26 + (stroke % 2) * 8, 8 - stroke, 70, -50)),
);

export const wipeTable: TaskProgram = {
	task: 'Wipe the table',
	robot: so101,
	things: [{shape: 'block', color: [236, 205, 62], size: [0.06, 0.045, 0.025], limb: 0, after: 1}],
	moves: [
		move('reach', 1.6, 'object', {joints: [-34, 20, 14, 68, -50], hand: 0.9}),
		move('grasp', 0.5, 'object', close),
		...wipe,
		move('release', 0.5, 'object', open),
		move('release', 1.6, 'home', ...home(so101)),
	],
};

const stackOne = (pan: number, height: number): Move[] => [
	move('reach', 1.5, 'object', {joints: [pan, 12, 16, 70, -50], hand: 0.85}),
	move('grasp', 0.8, 'object', joints(pan, 36, -2, 74, -50)),
	move('grasp', 0.45, 'object', close),
	move('stack', 1.1, 'goal', joints(pan / 2, -10, 34, 70, -50)),
	move('stack', 1.2, 'goal', joints(22, 24 - height, 6 + height, 74, -46)),
	move('stack', 0.5, 'goal', open),
];

export const stackBlocks: TaskProgram = {
	task: 'Stack the three blocks',
	robot: so101,
	things: [
		{shape: 'block', held: 'stays', color: [70, 160, 84], size: [0.042, 0.042, 0.03], limb: 0, after: 5},
		{shape: 'block', color: [214, 52, 46], size: [0.036, 0.036, 0.036], limb: 0, after: 2},
		{shape: 'block', color: [240, 196, 58], size: [0.036, 0.036, 0.036], limb: 0, after: 8},
	],
	moves: [...stackOne(-36, 0), ...stackOne(-14, 12), move('release', 1.5, 'home', ...home(so101))],
};

export const pourCups: TaskProgram = {
	task: 'Pour the cups',
	robot: aloha,
	things: [
		{shape: 'cup', color: [218, 92, 58], size: [0.075, 0.075, 0.12], limb: 0, after: 1},
		{shape: 'cup', color: [70, 138, 210], size: [0.075, 0.075, 0.12], limb: 1, after: 1},
	],
	moves: [
		move(
			'reach',
			1.3,
			'object',
			{joints: [16, 8, 20, 0, 10, 0], hand: 0.9},
			{joints: [-14, 6, 22, 0, 12, 0], hand: 0.9},
		),
		move('grasp', 0.45, 'object', close, close),
		move('pour', 1.1, 'goal', joints(8, -10, 36, 0, -4, 0), joints(-8, -22, 46, 0, -6, 0)),
		move('pour', 0.9, 'goal', stay, joints(-6, -20, 44, 20, -4, 78)),
		move('pour', 0.9, 'goal', stay, joints(-8, -22, 46, 0, -6, 0)),
		move('release', 1.0, 'object', joints(16, 8, 20, 0, 10, 0), joints(-14, 6, 22, 0, 12, 0)),
		move('release', 0.45, 'object', open, open),
		move('release', 1.2, 'home', ...home(aloha)),
	],
};

export const foldTowelBimanual: TaskProgram = {
	task: 'Fold the towel',
	robot: aloha,
	things: [{shape: 'cloth', color: [92, 148, 214], size: [0.26, 0, 0], limb: 0, after: 1}],
	moves: [
		move(
			'reach',
			1.3,
			'object',
			{joints: [22, 14, 26, 0, 30, 0], hand: 0.9},
			{joints: [-22, 14, 26, 0, 30, 0], hand: 0.9},
		),
		move('grasp', 0.5, 'object', close, close),
		move('fold', 1.1, 'goal', joints(20, -18, 48, 0, 12, 0), joints(-20, -18, 48, 0, 12, 0)),
		move('fold', 1.4, 'goal', joints(16, 20, 10, 0, 34, 0), joints(-16, 20, 10, 0, 34, 0)),
		move('fold', 0.45, 'goal', open, stay),
		move('fold', 1.2, 'object', joints(30, -4, 40, 10, 24, 20), stay),
		move('fold', 1.2, 'goal', stay, joints(10, 6, 28, 0, 32, -40)),
		move('release', 0.45, 'goal', open, open),
		move('release', 1.2, 'home', ...home(aloha)),
	],
};

export const insertBattery: TaskProgram = {
	task: 'Insert the battery',
	robot: aloha,
	things: [
		{shape: 'block', color: [66, 84, 110], size: [0.12, 0.09, 0.05], limb: 0, after: 1},
		{shape: 'cup', color: [238, 176, 48], size: [0.045, 0.045, 0.09], limb: 1, after: 1},
	],
	moves: [
		move(
			'reach',
			1.1,
			'object',
			{joints: [10, 4, 30, 0, 14, 0], hand: 0.9},
			{joints: [-18, 10, 24, 0, 16, 0], hand: 0.8},
		),
		move('grasp', 0.4, 'object', close, close),
		move('insert', 0.9, 'goal', joints(6, -6, 40, 0, 2, 0), joints(-4, -8, 44, 0, 0, 30)),
		move('insert', 1.3, 'goal', stay, joints(1, -4, 41, 0, 1, 32)),
		move('release', 0.4, 'goal', stay, open),
		move('release', 1.1, 'home', ...home(aloha)),
	],
};

export const sortBottles: TaskProgram = {
	task: 'Sort the bottles',
	robot: humanoid,
	things: [
		{shape: 'cup', color: [52, 150, 92], size: [0.06, 0.06, 0.15], limb: 0, after: 5},
		{shape: 'cup', color: [190, 70, 60], size: [0.06, 0.06, 0.15], limb: 1, after: 1},
	],
	moves: [
		move('reach', 1.2, 'object', stay, {joints: [-38, -12, 10, 30, 8, 6, -8], hand: 0.95}),
		move('grasp', 0.5, 'object', stay, close),
		move('sort', 1.1, 'goal', joints(8, 20, 6, 58, 4, 0, 4), joints(-46, -24, -18, 44, 12, -4, 12)),
		move('sort', 0.5, 'goal', stay, open),
		move(
			'reach',
			1.2,
			'object',
			{joints: [-36, 14, -12, 32, -8, 6, 8], hand: 0.95},
			joints(-4, -16, 0, 58, 0, 0, 0),
		),
		move('grasp', 0.5, 'object', close, stay),
		move('sort', 1.1, 'goal', joints(-44, 26, 20, 42, -12, -4, -12), stay),
		move('release', 0.5, 'goal', open, stay),
		move('release', 1.2, 'home', ...home(humanoid)),
	],
};

export const openDrawer: TaskProgram = {
	task: 'Open the drawer',
	robot: humanoid,
	things: [
		{
			...{shape: 'block', held: 'stays', color: [132, 98, 66], size: [0.2, 0.34, 0.2], limb: 1, after: 1},
			beside: [0.12, 0.05, 0],
		},
		{
			...{
				shape: 'block',
				held: 'slides',
				color: [190, 150, 104],
				size: [0.03, 0.26, 0.11],
				limb: 1,
				after: 1,
			},
			beside: [0, 0.05, 0.03],
		},
	],
	moves: [
		move('reach', 1.2, 'object', joints(6, 16, 4, 60, 0, 4, 0), {
			joints: [-30, -10, 6, 24, 30, 0, 0],
			hand: 0.95,
		}),
		move('grasp', 0.5, 'object', stay, close),
		move('pull', 1.4, 'goal', joints(14, 18, 2, 50, 0, 2, 0), joints(10, -14, 4, 74, 30, 4, 0)),
		move('release', 0.45, 'goal', stay, open),
		move('release', 1.1, 'home', ...home(humanoid)),
	],
};
