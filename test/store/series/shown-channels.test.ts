import {expect, test} from 'vitest';
import {besideOf, choosable, shownChannels} from '../../../source/store/series/series-watch.ts';

const arm = ['action.pan', 'action.gripper.pos', 'state.pan', 'state.gripper.pos', 'telemetry.current'];

const shown = (
	chosen: readonly string[] | undefined,
	available: readonly string[],
	unlike: readonly string[] = [],
	isPinned = false,
) => shownChannels(chosen && {channels: chosen, isPinned}, {available, unlike});

test('the channels in which an episode is unlike its siblings are drawn first, a state that the action has too with it', () => {
	expect(shown(undefined, arm, ['state.pan', 'action.pan', 'telemetry.current'])).toEqual([
		'action.pan',
		'telemetry.current',
	]);
	expect(shown(undefined, arm, ['action.gone'])).toEqual(['action.gripper.pos']);
	expect(shown(['telemetry.current'], arm, ['action.pan'])).toEqual(['telemetry.current']);
	expect(shown(undefined, ['state.only'], ['state.only'])).toEqual(['state.only']);
});

test('the gripper is drawn until somebody chooses, or the first channel of an arm without one', () => {
	expect(shown(undefined, arm)).toEqual(['action.gripper.pos']);
	expect(shown(undefined, ['action.a', 'action.b'])).toEqual(['action.a']);
	expect(shown(undefined, [])).toEqual([]);
});

test('the state is drawn beside the action, and so is no choice of its own', () => {
	expect(choosable(arm)).toEqual(['action.pan', 'action.gripper.pos', 'telemetry.current']);
	expect(choosable(['state.only'])).toEqual(['state.only']);
	expect(besideOf('action.pan', arm)).toBe('state.pan');
	expect(besideOf('telemetry.current', arm)).toBeUndefined();
});

test('an arm that has nothing of what was chosen shows its usual channels, and so does one of which nothing is chosen', () => {
	expect(shown(['telemetry.current', 'action.pan'], arm)).toEqual(['telemetry.current', 'action.pan']);
	expect(shown(['action.wheel'], arm)).toEqual(['action.gripper.pos']);
	expect(shown([], arm)).toEqual(['action.gripper.pos']);
});

test('a choice that is pinned leaves a suspect the channels that it is suspect for', () => {
	expect(shown(['telemetry.current'], arm, ['state.pan'], true)).toEqual(['telemetry.current', 'action.pan']);
	expect(shown(['telemetry.current'], arm, [], true)).toEqual(['telemetry.current']);
	expect(shown(['telemetry.current'], arm, ['state.pan'])).toEqual(['telemetry.current']);
});
