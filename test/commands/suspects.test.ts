import {expect, test} from 'vitest';
import {suspectsIn} from '../../source/commands/ingest.ts';

const taken = (episodes: number, suspects: number | undefined) => ({name: 'fold', episodes, suspects});

test.each([
	[[taken(50, 6), taken(20, 1)], '7 of 70 suspect, the worst first.'],
	[
		[taken(50, 6), {...taken(6, 6), copies: 6}],
		'6 of 56 suspect (6 more are copies of others), the worst first.',
	],
	[[{...taken(6, 6), copies: 6}], '6 of 6 suspect, the worst first.'],
	[[taken(50, 0)], 'None of 50 suspect.'],
	[[taken(4, undefined)], '1 dataset has too few episodes of a task to tell.'],
	[
		[taken(50, 6), taken(4, undefined), taken(3, undefined)],
		'6 of 50 suspect, the worst first. 2 datasets have too few episodes of a task to tell.',
	],
	[[taken(0, undefined)], undefined],
	[[], undefined],
])(
	'the suspects of an ingest are summed up, and a dataset that cannot be judged is not called healthy',
	(all, sentence) => {
		expect(suspectsIn(all)).toBe(sentence);
	},
);
