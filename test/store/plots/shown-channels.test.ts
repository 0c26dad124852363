import {expect, test} from 'vitest';
import {besideOf, choosable, shownChannels} from '../../../source/store/plots/shown-channels.ts';

const arm = ['action.pan', 'action.gripper.pos', 'state.pan', 'state.gripper.pos', 'telemetry.current'];

test('the gripper is drawn until somebody chooses, or the first channel of an arm without one', () => {
	expect(shownChannels(undefined, arm)).toEqual(['action.gripper.pos']);
	expect(shownChannels(undefined, ['action.a', 'action.b'])).toEqual(['action.a']);
	expect(shownChannels(undefined, [])).toEqual([]);
});

test('the state is drawn beside the action, and so is no choice of its own', () => {
	expect(choosable(arm)).toEqual(['action.pan', 'action.gripper.pos', 'telemetry.current']);
	expect(choosable(['state.only'])).toEqual(['state.only']);
	expect(besideOf('action.pan', arm)).toBe('state.pan');
	expect(besideOf('telemetry.current', arm)).toBeUndefined();
});

test('what was chosen stays chosen; another arm that has none of it shows its usual ones', () => {
	expect(shownChannels(['telemetry.current', 'action.pan'], arm)).toEqual([
		'telemetry.current',
		'action.pan',
	]);
	expect(shownChannels(['action.wheel'], arm)).toEqual(['action.gripper.pos']);
	expect(shownChannels([], arm)).toEqual([]);
});
