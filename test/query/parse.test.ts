import {expect, test} from 'vitest';
import {noFilter} from '../../source/query/filter.ts';
import {parse} from '../../source/query/parse.ts';

function firstProblem(line: string) {
	const result = parse(line);
	if (result.ok) throw new Error(`${line} was read`);
	return result.problems[0];
}

test('one line says the whole filter', () => {
	const line =
		'tier:retrainable,none task:"fold the towel",wipe interface:so101-30hz-1a2b marker:"reach > grasp" ' +
		'robot:so101_follower dataset:so101-fold tag:night tag:"b, c" review:rejected index:7 parent:3 is:child order:desc ' +
		'quality_score>=0.8 max(action.gripper.pos)>50 std(state."odd name")<1e-3 red towel';
	expect(parse(line)).toEqual({
		ok: true,
		filter: {
			tasks: ['fold the towel', 'wipe'],
			tiers: ['retrainable', ''],
			interfaces: ['so101-30hz-1a2b'],
			robots: ['so101_follower'],
			markers: ['reach > grasp'],
			datasets: ['so101-fold'],
			tags: ['night', 'b, c'],
			review: 'rejected',
			index: 7,
			parent: 3,
			lineage: 'children',
			descending: true,
			numeric: [{field: 'quality_score', op: 'gte', value: 0.8}],
			channels: [
				{stream: 'action', channel: 'gripper.pos', agg: 'max', op: 'gt', value: 50},
				{stream: 'state', channel: 'odd name', agg: 'std', op: 'lt', value: 0.001},
			],
			search: 'red towel',
		},
	});
});

test('a term with - or ! before it leaves its values out', () => {
	const line =
		'-tier:none,retrainable -task:"fold the towel",wipe -interface:so101-30hz-1a2b -marker:"reach > grasp" ' +
		'-dataset:a,b !tag:suspect -tag:"b, c" -review:rejected,unreviewed tag:night';
	expect(parse(line)).toEqual({
		ok: true,
		filter: {
			...noFilter,
			tags: ['night'],
			not: {
				tiers: ['', 'retrainable'],
				tasks: ['fold the towel', 'wipe'],
				interfaces: ['so101-30hz-1a2b'],
				markers: ['reach > grasp'],
				datasets: ['a', 'b'],
				tags: ['suspect', 'b, c'],
				reviews: ['rejected', 'unreviewed'],
			},
		},
	});
});

test('a comparison with - or ! before it is the opposite one', () => {
	for (const line of ['-duration_s>3 -max(x)<=5', '!duration_s > 3 !max(x) <= 5']) {
		expect(parse(line)).toEqual({
			ok: true,
			filter: {
				...noFilter,
				numeric: [{field: 'duration_s', op: 'lte', value: 3}],
				channels: [{stream: 'action', channel: 'x', agg: 'max', op: 'gt', value: 5}],
			},
		});
	}
});

test('words that are no terms are searched for as text', () => {
	for (const text of [
		'towel',
		'12:30',
		'pick(cube)',
		'größe 5',
		'-1',
		'-towel',
		'!towel',
		'- tag',
		'quality_score',
		'https',
	]) {
		expect(parse(text)).toEqual({ok: true, filter: {...noFilter, search: text}});
	}
});

test.each([
	['tier:retrainible', 6, 'retrainible', ['retrainable', 'analyze_only', 'none']],
	['teir:none', 1, 'teir:', ['tier:']],
	['task:', 6, '', []],
	['task:a,,b', 8, ',', []],
	['task:"fold', 6, '"fold', []],
	['task:fold"x"', 10, '"x"', []],
	['review:good', 8, 'good', ['unreviewed', 'auto_accepted', 'kept', 'rejected']],
	['index:x', 7, 'x', []],
	['index:2147483648', 7, '2147483648', []],
	['is:sibling', 4, 'sibling', ['original', 'child']],
	['order:up', 7, 'up', ['asc', 'desc']],
	['index:1 index:2', 9, 'index:2', []],
	['tag:a,b', 6, ',b', []],
	[
		'-index:3',
		1,
		'-index:',
		['-tier:', '-task:', '-interface:', '-robot:', '-marker:', '-dataset:', '-tag:', '-review:'],
	],
	['-is:child', 1, '-is:child', ['is:original']],
	['!order:desc', 1, '!order:desc', ['order:asc']],
	['-reveiw:a', 1, '-reveiw:', ['-review:']],
	['-tag:a,b', 7, ',b', []],
	['-qualty_score>1', 2, 'qualty_score', ['quality_score']],
	['-median(action.x)>1', 2, 'median', ['max', 'min', 'mean', 'std']],
	['qualty_score>1', 1, 'qualty_score', ['quality_score']],
	['quality_score=1', 14, '=', ['>=', '<=', '>', '<']],
	['quality_score>', 15, '', []],
	['quality_score>high', 15, 'high', []],
	['quality_score>1e999', 15, '1e999', []],
	['duration_s<12s', 12, '12s', []],
	['max(action.)>1', 12, ')', []],
	['max(action.x', 13, '', []],
	['max(action.x)', 14, '', ['>=', '<=', '>', '<']],
	['median(action.x)>1', 1, 'median', ['max', 'min', 'mean', 'std']],
	['>5', 1, '>', []],
	['say"hi"', 4, '"hi"', []],
	['"a\\qb"', 3, '\\q', ['\\\\', '\\"', '\\n', '\\r', '\\t', '\\u{…}']],
	['🦾 tier:x', 8, 'x', ['retrainable', 'analyze_only', 'none']],
])('%s: the problem is at column %i, where "%s" stands', (line, column, found, fits) => {
	const problem = firstProblem(line);
	expect(problem).toMatchObject({column, found, fits});
	const named = found || 'the end';
	const said = problem.message.startsWith(`Column ${column}: ${named} is not `)
		? 'guess'
		: problem.message.startsWith(`Column ${column}: found ${named}, expected `) && 'expectation';
	expect(said).toBe(problem.message.includes('did you mean') ? 'guess' : 'expectation');
});

test('every problem of a line is told, from left to right', () => {
	const result = parse('tier:a towel quality_score>b task:"open');
	expect(result.ok ? [] : result.problems.map(({column}) => column)).toEqual([6, 28, 35]);
});

test('the bounds of the service are the language’s', () => {
	const numbers = (count: number) => Array.from({length: count}, (_, i) => `frame_count>${i}`).join(' ');
	expect(parse(numbers(32)).ok).toBe(true);
	expect(firstProblem(numbers(33)).expected).toBe('at most 32 numeric comparisons');
	const channels = (count: number) => Array.from({length: count}, (_, i) => `max(x)>${i}`).join(' ');
	expect(parse(channels(32)).ok).toBe(true);
	expect(firstProblem(channels(33)).expected).toBe('at most 32 channel comparisons');
	const tasks = (count: number) => `task:${Array.from({length: count}, (_, i) => `t${i}`).join(',')}`;
	expect(parse(tasks(512)).ok).toBe(true);
	expect(firstProblem(tasks(513)).found).toBe('t512');
	const datasets = (count: number) => `dataset:${Array.from({length: count}, (_, i) => `d${i}`).join(',')}`;
	expect(parse(datasets(4096)).ok).toBe(true);
	expect(firstProblem(datasets(4097)).found).toBe('d4096');
	expect(parse('index:2147483647').ok).toBe(true);
});
