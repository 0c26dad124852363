import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Filter, noFilter} from '../../source/query/filter.ts';
import {parse} from '../../source/query/parse.ts';
import {print} from '../../source/query/print.ts';
import {arbitraryFilter} from './arbitrary-filter.ts';

/** Each filter takes a fraction of a millisecond to read. */
const many = {numRuns: 10_000};

function filterOf(line: string): Filter {
	const result = parse(line);
	if (!result.ok) throw new Error(`${JSON.stringify(line)}: ${result.problems[0].message}`);
	return result.filter;
}

function isReadOrAnswered(line: string): void {
	const result = parse(line);
	if (result.ok) {
		expect(filterOf(print(result.filter))).toEqual(result.filter);
		return;
	}
	for (const {offset, length, column} of result.problems) {
		expect(offset).toBeGreaterThanOrEqual(0);
		expect(offset + length).toBeLessThanOrEqual(line.length);
		expect(column).toBeGreaterThanOrEqual(1);
		expect(column).toBeLessThanOrEqual([...line].length + 1);
	}
}

test('a printed filter is read back as the same filter', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			expect(filterOf(print(filter))).toEqual(filter);
		}),
		many,
	);
});

test('a printed filter is one line without anything invisible in it', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			expect(print(filter)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
		}),
	);
});

test('whatever is typed is either read or answered with a problem inside the line', () => {
	const pieces = fc.constantFrom(
		...[
			'tier:',
			'none',
			'task:',
			'"',
			',',
			' ',
			'\\',
			'max(',
			'action.',
			')',
			'>=',
			'<',
			'=',
			'5',
			'e',
			'-',
			'!',
			'-tag:',
			'quality_score',
			'x',
			'\u202e',
			'🦾',
		],
	);
	fc.assert(
		fc.property(fc.array(pieces, {maxLength: 14}), typed => {
			isReadOrAnswered(typed.join(''));
		}),
		{numRuns: 3000},
	);
});

test('a printed filter with something cut out, put in or turned round is read, or answered inside the line', () => {
	const mutation = fc.record({
		at: fc.double({min: 0, max: 1, noNaN: true}),
		length: fc.nat(6),
		put: fc.string({
			unit: fc.constantFrom(
				'"',
				'\\',
				',',
				' ',
				':',
				'(',
				')',
				'>',
				'=',
				'-',
				'1',
				'e',
				'x',
				'tier',
				'\u{1f9be}',
			),
			maxLength: 4,
		}),
	});
	fc.assert(
		fc.property(arbitraryFilter, fc.array(mutation, {minLength: 1, maxLength: 3}), (filter, mutations) => {
			const line = mutations.reduce((text, {at, length, put}) => {
				const from = Math.floor(at * text.length);
				return text.slice(0, from) + put + text.slice(from + length);
			}, print(filter));
			isReadOrAnswered(line);
		}),
		many,
	);
});

test.each([
	['a tier:none  b', 'tier:none a b'],
	['task:b,a task:a', 'task:b,a'],
	['quality_score >= .80', 'quality_score>=0.8'],
	['max(gripper.pos)>5', 'max(action.gripper.pos)>5'],
	['order:asc', ''],
	['"two  spaces"', '"two  spaces"'],
	['task:"plain"', 'task:plain'],
	['"tier:none"', '"tier:none"'],
	['!tag:a -tag:b -task:x,"y z"', '-task:x,"y z" -tag:a -tag:b'],
	['"!tag:a"', '"!tag:a"'],
	['-duration_s>3', 'duration_s<=3'],
])('%s is printed as %s', (typed, printed) => {
	expect(print(filterOf(typed))).toBe(printed);
});

test('no filter prints as nothing', () => {
	expect(print(noFilter)).toBe('');
	expect(filterOf('  ')).toEqual(noFilter);
});

test.each([
	['review:human_audited', 'review:kept', {review: 'human_audited'}],
	['review:kept', 'review:kept', {review: 'human_audited'}],
	[
		'-review:human_audited,rejected',
		'-review:kept,rejected',
		{not: {reviews: ['human_audited', 'rejected']}},
	],
])(
	'%s means what it meant in earlier versions, and is written as people read it',
	(text, printed, filter) => {
		const read = parse(text);
		expect(read).toMatchObject({ok: true, filter});
		expect(read.ok && print(read.filter)).toBe(printed);
		expect(read.ok && parse(print(read.filter))).toEqual(read);
	},
);
