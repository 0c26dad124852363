import {expect, test} from 'vitest';
import {fittingUpshot} from '../../../source/panes/uploads/upload-words.ts';
import {entryOfOperation} from '../../../source/store/uploads/upload-entry.ts';

const entry = (status: {phase: string; done: boolean; message?: string}) =>
	entryOfOperation({
		operationId: '00000000-0000-4000-8000-000000000001',
		name: 'cups',
		repoId: undefined,
		since: 0,
		status,
		trouble: undefined,
	});

test('parts of an upload’s result that do not fit are left out rather than cut', () => {
	const done = entry({
		phase: 'finalized',
		done: true,
		...{generation: 1, episode_count: 110, total_frames: 33_604},
	});
	expect(fittingUpshot(done, 41)).toBe('generation 1, 110 episodes, 33,604 frames');
	expect(fittingUpshot(done, 40)).toBe('generation 1, 110 episodes');
	expect(fittingUpshot(done, 5)).toBe('generation 1');
	const same = {videos_found: 0, videos_lost: 0, judged_anew: 0};
	const again = (changed_episodes: number, other_changes?: object, width = 41) => {
		const counts = {generation: 2, episode_count: 110, changed_episodes, other_changes};
		return fittingUpshot(entry({phase: 'finalized', done: true, ...counts}), width);
	};
	expect(again(0, same)).toBe('generation 2, unchanged, 110 episodes');
	expect(again(0, undefined, 80)).toBe('generation 2, no recording changed, 110 episodes');
	expect(again(0, {...same, videos_found: 1, judged_anew: 2}, 120)).toBe(
		'generation 2, no recording changed, videos found for 1 episode, figures or tags differ for 2 episodes, 110 episodes',
	);
	expect(again(3)).toBe('generation 2, 3 changed, 110 episodes');
});

test('a reason is never shortened', () => {
	const failed = entry({
		phase: 'failed',
		done: true,
		message: 'the disk is full, free some of it, and again',
	});
	expect(fittingUpshot(failed, 10)).toBe('the disk is full, free some of it, and again');
});
