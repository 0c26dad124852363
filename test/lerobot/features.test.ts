import {describe, expect, test} from 'vitest';
import {channelsOf, layoutFeatures} from '../../source/lerobot/features.ts';

const vector = (names: unknown, dims = 2) => ({dtype: 'float32', shape: [dims], names});
const namesFrom = (names: unknown, dims = 2) => layoutFeatures({action: vector(names, dims)}).action?.names;

describe('the names of a feature', () => {
	test.each([
		['a flat list', ['x', 'y'], ['x', 'y']],
		['a nested list', [['x', 'y']], ['x', 'y']],
		['an object of lists', {motors: ['x', 'y']}, ['x', 'y']],
		['an object of several lists', {left: ['x'], right: ['y']}, ['x', 'y']],
		['an object of places', {y: 1, x: 0}, ['x', 'y']],
		['null', null, ['0', '1']],
		['nothing', undefined, ['0', '1']],
		['too few', ['x'], ['0', '1']],
		['doubled ones', ['x', 'x'], ['x', 'x#1']],
		['empty ones', ['', 'y'], ['0', 'y']],
		['numbers', [7, 8], ['7', '8']],
	])('spelled as %s are flattened', (_, names, expected) => {
		expect(namesFrom(names)).toEqual(expected);
	});
});

describe('action and state', () => {
	test.each([
		['action', 'observation.state'],
		['actions', 'state'],
		['action.joint_position', 'observation.qpos'],
		['robot/actions', 'proprio'],
	])('are found as %s and %s', (action, state) => {
		const layout = layoutFeatures({
			[state]: vector(null),
			[action]: vector(null),
			'observation.effort': vector(null),
		});
		expect(layout.action?.key).toBe(action);
		expect(layout.state?.key).toBe(state);
		expect(layout.telemetry.map(({key}) => key)).toEqual(['observation.effort']);
	});

	test('go by their usual names where others would do too', () => {
		const layout = layoutFeatures({
			'action.delta': vector(null),
			'observation.environment_state': vector(null),
			action: vector(null),
			'observation.state': vector(null),
		});
		expect(layout.action?.key).toBe('action');
		expect(layout.state?.key).toBe('observation.state');
		expect(layout.telemetry.map(({key}) => key)).toEqual(['action.delta', 'observation.environment_state']);
	});

	test('may be missing', () => {
		const layout = layoutFeatures({'observation.effort': vector(null)});
		expect(layout.action).toBeUndefined();
		expect(layout.state).toBeUndefined();
	});
});

test('cameras are the features of an image dtype, whatever they are called; texts and bookkeeping are nothing', () => {
	const layout = layoutFeatures({
		top: {dtype: 'video', shape: [480, 640, 3], names: null},
		'observation.images.wrist': {dtype: 'image', shape: [3, 96, 96], names: null},
		instruction: {dtype: 'string', shape: [1], names: null},
		plan: {dtype: 'language', shape: [1], names: null},
		timestamp: {dtype: 'float32', shape: [1], names: null},
		task_index: {dtype: 'int64', shape: [1], names: null},
		'next.done': {dtype: 'bool', shape: [1], names: null},
	});
	expect(layout.cameras).toEqual(['top', 'observation.images.wrist']);
	expect(layout.telemetry.map(({key}) => key)).toEqual(['next.done']);
});

describe('channels', () => {
	test('of the action carry the plain name, the native name and the place', () => {
		const {action} = layoutFeatures({action: vector(['pan.pos', 'gripper.pos'])});
		expect(channelsOf(action ? [action] : [], 'action')).toEqual([
			{stream: 'action', name: 'pan.pos', nativeName: 'pan.pos', nativeIndex: 0},
			{stream: 'action', name: 'gripper.pos', nativeName: 'gripper.pos', nativeIndex: 1},
		]);
	});

	test('have the native name that the dataset spells, whatever their feature is called and however they are told apart', () => {
		const {action, telemetry} = layoutFeatures({
			actions: {dtype: 'float32', shape: [4], names: ['left.joint_1.pos', 'grip', 'grip', '']},
			effort: vector(['pan', 'tilt']),
			tactile: {dtype: 'float32', shape: [2], names: null},
			'next.reward': {dtype: 'float32', shape: [1], names: null},
		});
		const named = (channels: ReturnType<typeof channelsOf>) =>
			channels.map(({name, nativeName}) => [name, nativeName]);
		expect(named(channelsOf(action ? [action] : [], 'action'))).toEqual([
			['left.joint_1.pos', 'left.joint_1.pos'],
			['grip', 'grip'],
			['grip#2', 'grip'],
			['3', 'actions.3'],
		]);
		expect(named(channelsOf(telemetry, 'telemetry'))).toEqual([
			['effort.pan', 'pan'],
			['effort.tilt', 'tilt'],
			['tactile.0', 'tactile.0'],
			['tactile.1', 'tactile.1'],
			['next.reward', 'next.reward'],
		]);
	});

	test('of telemetry carry their feature, so that two features may name their dims alike', () => {
		const {telemetry} = layoutFeatures({
			effort: vector(['pan', 'tilt']),
			velocity: vector(['pan', 'tilt']),
			'next.reward': {dtype: 'float32', shape: [1], names: null},
		});
		expect(channelsOf(telemetry, 'telemetry').map(({name, nativeIndex}) => [name, nativeIndex])).toEqual([
			['effort.pan', 0],
			['effort.tilt', 1],
			['velocity.pan', 0],
			['velocity.tilt', 1],
			['next.reward', 0],
		]);
	});

	test('stay within 512 characters and apart', () => {
		const long = 'x'.repeat(600);
		const {telemetry} = layoutFeatures({[`${long}a`]: vector(['p', 'q']), [`${long}b`]: vector(['p', 'q'])});
		const names = channelsOf(telemetry, 'telemetry').map(({name}) => name);
		expect(new Set(names).size).toBe(4);
		expect(Math.max(...names.map(name => name.length))).toBeLessThanOrEqual(512);
	});
});
