import {describe, expect, test} from 'vitest';
import type {Fault} from '../../../source/sample/faults.ts';
import {foldTowel, pickCube, pourCups, sortBottles} from '../../../source/sample/tasks.ts';
import {patience, times} from '../../faults/support/soak.ts';
import {judgePlanted} from './planted.ts';

/** The tag and the words that tell of each fault. */
const expected: Record<Fault, {tag: string; or?: string; words: RegExp}> = {
	'long pauses': {tag: 'long-pause', words: /^stands still for \d.* s; 95 % of siblings for at most \d.* s$/},
	tremor: {
		tag: 'jerky',
		or: 'noisy-state',
		words:
			/^(jerk is [\d.]+× the siblings' median in |the state of \w+ is [\d.]+× as rough as in the median sibling)/,
	},
	'frozen dims': {tag: 'frozen', words: /joint_\d+.* never moves? \((all )?moves? in \d+ of \d+ siblings\)$/},
	'dropped frames': {tag: 'dropped-frames', words: /^\d+ frames? dropped; none in 95 % of siblings$/},
	'camera out of step': {
		tag: 'out-of-step',
		words: /^a camera is \d.* s out of step; at most [\d.]+ s in 95 % of siblings$/,
	},
	'never moves': {tag: 'broken', words: /^never moves: (\d+) of \1 dims frozen$/},
	'ends far off': {
		tag: 'far-end',
		words: /^\w*joint_\d+ ends far off at [−\d.]+; 90 % of siblings end at [−\d.]+(–| to )/,
	},
	'too long': {tag: 'too-long', words: /^\d+ s; 90 % of siblings take [\d.]+–[\d.]+ s$/},
	'too short': {tag: 'too-short', words: /^[\d.]+ s; 90 % of siblings take [\d.]+–[\d.]+ s$/},
	truncated: {tag: 'broken', words: /^it has \d+ frames where the metadata says \d+$/},
	'calibration offset': {
		tag: 'off-leader',
		words:
			/^\w*joint_\d+ rests [\d.]+ off its leader; 90 % of siblings (do not|within [\d.]+): recalibrate\?/,
	},
};

const programs = {
	'an arm folds a towel': foldTowel,
	'an arm picks a cube': pickCube,
	'two arms pour': pourCups,
};
const seeds = times(3, 10);

describe.each(Object.entries(programs))('%s', (_, program) => {
	test(
		'of 200 episodes every one with a fault is suspect for that fault, and few others are',
		() => {
			let healthy = 0;
			let flagged = 0;
			for (let seed = 0; seed < seeds; seed++) {
				for (const {fault, judgement, index} of judgePlanted(program, `planted ${seed}`, 200, 2)) {
					const {tags, reasons, doubt} = judgement;
					if (fault === undefined) {
						healthy++;
						if (reasons.length > 0) flagged++;
						continue;
					}
					const {tag, or = tag, words} = expected[fault];
					const where = `seed ${seed}, episode ${index}, ${fault}: ${reasons.join('; ')}`;
					expect(tags.includes(tag) || tags.includes(or), where).toBe(true);
					expect(tags, where).toContain('suspect');
					expect(
						reasons.some(reason => words.test(reason)),
						where,
					).toBe(true);
					expect(doubt, where).toBeGreaterThanOrEqual(1);
				}
			}
			expect(flagged / healthy).toBeLessThanOrEqual(0.03);
		},
		patience(seeds, 4000),
	);
});

test('what is broken comes before what is odd, and what is odd before what is not', () => {
	const judged = judgePlanted(sortBottles, 'order', 60, 1);
	const doubts = (wanted: (tags: readonly string[]) => boolean) =>
		judged.filter(({judgement}) => wanted(judgement.tags)).map(({judgement}) => judgement.doubt ?? -1);
	const broken = doubts(tags => tags.includes('broken'));
	const odd = doubts(tags => tags.includes('suspect') && !tags.includes('broken'));
	const others = doubts(tags => tags.length === 0);
	expect(broken).toHaveLength(2);
	expect(odd.length).toBeGreaterThanOrEqual(9);
	expect(Math.min(...broken)).toBeGreaterThan(Math.max(...odd));
	expect(Math.min(...odd)).toBeGreaterThanOrEqual(1);
	expect(Math.max(...others)).toBeLessThan(1);
	expect(Math.min(...others)).toBeGreaterThan(0);
});
