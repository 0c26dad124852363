import {expect, test} from 'vitest';
import {figureAt} from '../../source/query/figure-at.ts';
import {print} from '../../source/query/print.ts';

function at(marked: string) {
	const caret = marked.indexOf('|');
	const found = figureAt(marked.slice(0, caret) + marked.slice(caret + 1), caret);
	return found && {of: found.of, threshold: found.threshold, rest: print(found.rest)};
}

test.each([
	[
		'tier:none quality_score>=0.8| towel',
		{field: 'quality_score'},
		{op: 'gte', value: 0.8},
		'tier:none towel',
	],
	['quali|ty_score<1', {field: 'quality_score'}, {op: 'lt', value: 1}, ''],
	['towel sparc|', {field: 'sparc'}, undefined, 'towel'],
	['towel sparc>|', {field: 'sparc'}, undefined, 'towel'],
	['towel sparc > |', {field: 'sparc'}, undefined, 'towel'],
	['sparc>-|', {field: 'sparc'}, undefined, ''],
	[
		'max(gripper.pos)>5| sparc<1',
		{stream: 'action', channel: 'gripper.pos', agg: 'max'},
		{op: 'gt', value: 5},
		'sparc<1',
	],
])('at %s: %j with the threshold %j, over %s', (marked, of, threshold, rest) => {
	expect(at(marked)).toEqual({of, threshold, rest});
});

test.each(['towel|', 'tier:none|', 'sparc>1 |', 'tier:x sparc>1|', 'max(x)|', '|'])(
	'there is none at %s',
	marked => {
		expect(at(marked)).toBeUndefined();
	},
);
