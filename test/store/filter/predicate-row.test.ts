import fc from 'fast-check';
import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {parse} from '../../../source/query/parse.ts';
import {print} from '../../../source/query/print.ts';
import {applied, newRow, rowProblem, rowsOf} from '../../../source/store/filter/predicate-row.ts';
import {arbitraryFilter} from '../../query/arbitrary-filter.ts';

function filterOf(line: string) {
	const read = parse(line);
	if (!read.ok) throw new Error(read.problems[0].message);
	return read.filter;
}

test('the rows of a filter, applied, are the same filter', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			const {filter: again, kept, problems} = applied(filter, rowsOf(filter, []));
			expect(again).toEqual(filter);
			expect([kept.length, problems.size]).toEqual([0, 0]);
		}),
	);
});

test('a row that is off is kept and not applied, and is there again as it was', () => {
	const filter = filterOf('tier:none quality_score>=0.8 max(state.gripper.pos)>50');
	const rows = rowsOf(filter, []).map((row, place) => ({...row, isOn: place === 1}));
	const {filter: left, kept, problems} = applied(filter, rows);
	expect(print(left)).toBe('tier:none max(state.gripper.pos)>50');
	expect(kept).toEqual([{...newRow, name: 'quality_score', value: '0.8', isOn: false}]);
	expect(problems.size).toBe(0);
	const back = rowsOf(left, kept).map(row => ({...row, isOn: true}));
	expect(print(applied(left, back).filter)).toBe(print(filter));
});

test.each([
	[{}, 'Which figure?'],
	[{agg: 'max'} as const, 'Which channel?'],
	[{name: 'speed'}, 'speed is not a numeric field; did you mean speed_mean or speed_p10 or speed_p50?'],
	[{name: 'sparc'}, 'Compared to which number?'],
	[{name: 'sparc', value: 'high'}, 'high is not a number such as 0.8.'],
	[{name: 'sparc', value: '80 %'}, '80 % is not a number such as 0.8 (as a share: 0.8).'],
	[{name: 'duration_s', value: '2 min'}, '2 min is not a number such as 0.8 (in seconds: 120).'],
	[{name: 'sparc', value: '1e999'}, '1e999 is not a number such as 0.8.'],
	[{name: 'sparc', value: '-3'}, undefined],
	[{agg: 'max', name: 'anything', value: '.5'} as const, undefined],
])('%j: %s', (given, problem) => {
	expect(rowProblem({...newRow, ...given})).toBe(problem);
});

test('an unfinished row waits, and what is beyond 32 of a kind is said before anything is asked', () => {
	const rows = Array.from({length: 33}, (_, place) => ({...newRow, name: 'sparc', value: `${place}`}));
	const {filter, kept, problems} = applied(noFilter, [{...newRow, name: 'spar'}, ...rows]);
	expect(filter.numeric).toHaveLength(32);
	expect(kept.map(({value}) => value)).toEqual(['', '32']);
	expect([...problems.values()]).toEqual([
		expect.stringContaining('did you mean sparc?'),
		'At most 32 of a kind: switch one off.',
	]);
});
