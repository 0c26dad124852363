import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parse} from '../../source/query/parse.ts';
import {print} from '../../source/query/print.ts';
import {withoutEachTerm} from '../../source/query/without-term.ts';
import {arbitraryFilter} from './arbitrary-filter.ts';

test('each term is left out once, comparisons first', () => {
	const read = parse(
		'tier:none task:a,b tag:x tag:y -tier:none -tag:z index:3 is:child quality_score>1 max(g)>2 max(g)<9 red towel -tag:z -tier:none',
	);
	if (!read.ok) throw new Error(read.problems[0].message);
	const left = withoutEachTerm(read.filter);
	expect(left.map(({text}) => text)).toEqual([
		'max(action.g)>2',
		'max(action.g)<9',
		'quality_score>1',
		'red towel',
		'tag:x',
		'tag:y',
		'index:3',
		'is:child',
		'tier:none',
		'task:a,b',
		'-tier:none',
		'-tag:z',
	]);
	expect(print(left[0]?.rest ?? read.filter)).toBe(
		'tier:none task:a,b tag:x tag:y -tier:none -tag:z index:3 is:child quality_score>1 max(action.g)<9 red towel',
	);
	expect(left[0]?.of).toEqual({stream: 'action', channel: 'g', agg: 'max'});
	expect(left[2]?.of).toEqual({field: 'quality_score'});
});

test('what is left out and what is left make up the filter', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			for (const {text, rest} of withoutEachTerm(filter)) {
				const both = parse(`${print(rest)} ${text}`);
				const sorted = (line: string) => [...line].sort().join('');
				expect(both.ok && sorted(print(both.filter))).toBe(sorted(print(filter)));
			}
		}),
	);
});
