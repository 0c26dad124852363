import {expect, test} from 'vitest';
import {fieldProblem} from '../../source/contract/errors.ts';
import {nearest} from '../../source/query/nearest.ts';
import {parse} from '../../source/query/parse.ts';
import {print} from '../../source/query/print.ts';
import {problemAtField, unknownDatasetProblems} from '../../source/query/problem-places.ts';

function messagesOf(line: string): readonly string[] {
	const result = parse(line);
	return result.ok ? [] : result.problems.map(({message}) => message);
}

test.each([
	[
		'speed>1',
		'Column 1: speed is not a numeric field; did you mean speed_mean, speed_p10 or speed_p50? (to search for it as text, write "speed>1")',
	],
	['durations_s<3', 'did you mean duration_s?'],
	['pauses>3', 'did you mean pause_fraction or pause_count?'],
	[
		'frobnication>3',
		'Column 1: found frobnication, expected a numeric field such as duration_s or quality_score (',
	],
	['teir:none', 'Column 1: teir: is not a key; did you mean tier:?'],
	['quality_score>NaN', 'Column 15: found NaN, expected a number such as 0.8.'],
	['duration_s>12s', 'Column 12: found 12s, expected a number such as 0.8 (without its unit: 12).'],
	['duration_s>1.5min', '(in seconds: 90).'],
	['sync_skew_max_ms<0.3s', '(in milliseconds: 300).'],
	['duration_s>12days', '(in seconds, without a unit).'],
	['frame_count>300frames', '(without its unit: 300).'],
	['max(action.x)>3rad', '(without its unit: 3).'],
	['quality_score>0,8', 'Column 15: found 0,8, expected a number such as 0.8 (with a point: 0.8).'],
	['speed_mean>,5', '(with a point: 0.5).'],
	['frame_count>1,000', '(without the comma: 1000, or with a point: 1.000).'],
	['frame_count>1,000,000', '(without the comma: 1000000).'],
	['pause_fraction<7%', '(as a share: 0.07).'],
	['quality_score>1e999', 'Column 15: found 1e999, expected a number that is not as large.'],
	['task:"fold', 'Column 6: found "fold, expected a closing quote.'],
])('%s: %s', (line, message) => {
	expect(messagesOf(line)[0]).toContain(message);
});

test('a word resembles those it begins, those it is a part of, and those a slip away; at most three are named', () => {
	const channels = ['left.gripper.pos', 'gripper.pos', 'wrist_roll.pos', 'elbow_flex.pos'];
	expect(nearest('gripper', channels)).toEqual(['gripper.pos', 'left.gripper.pos']);
	expect(nearest('griper.pos', channels)).toEqual(['gripper.pos']);
	expect(nearest('pos', channels)).toHaveLength(3);
	expect(nearest('zz', channels)).toEqual([]);
});

test('what is longer than any task is said at its column, in a value as in what is searched for', () => {
	const long = 'x'.repeat(300_000);
	expect(messagesOf(`towel task:${long}`)[0]).toMatch(/^Column 12: found x{40}…, expected at most 262144/);
	expect(messagesOf(`tier:none ${long}`)[0]).toMatch(/^Column 11: /);
	const prose = 'fold the towel '.repeat(20_000);
	const [first] = messagesOf(prose);
	expect(first).toMatch(/^Column 2621\d\d: /);
});

test('of a page of nonsense the first problems are told, soon', () => {
	const messages = messagesOf('quality_score>high '.repeat(16_000));
	expect(messages).toHaveLength(20);
	expect(messages[19]).toMatch(/^Column 376: /);
});

test('an unknown dataset is pointed at, with the names that were meant perhaps', () => {
	const line = 'tier:none dataset:so101-fold,so101-fild towel';
	const known = ['so101-fold', 'aloha-cups'];
	expect(unknownDatasetProblems(line, ['so101-fild'], known).map(({message}) => message)).toEqual([
		'Column 30: so101-fild is not the name of a dataset of this lake; did you mean so101-fold?',
	]);
	const [none] = unknownDatasetProblems('dataset:zebra', ['zebra'], known);
	expect(none?.message).toBe(
		'Column 9: found zebra, expected the name of a dataset of this lake (lakescope datasets lists them).',
	);
});

test.each([
	[['body', 'numeric_predicates', 1, 'value'], 'frame_count>5'],
	[['body', 'channel_predicates', 0, 'channel'], 'max(action.x)>1'],
	[['body', 'tasks', 1], 'wipe'],
	[['tasks'], 'fold,wipe'],
	[['body', 'search'], 'red towel'],
	[['body', 'episode_index'], '7'],
	[['body', 'dataset_ids', 0], 'so101'],
])('a refusal at %j is shown at %s', (loc, found) => {
	const read = parse(
		'max(x)>1 task:fold,wipe,fold dataset:so101 index:7 quality_score>1 frame_count>5 red towel',
	);
	const line = read.ok ? print(read.filter) : '';
	const problem = problemAtField(line, fieldProblem({loc, msg: 'is not wanted'}));
	expect(problem?.found).toBe(found);
	expect(problem?.message).toBe(`Column ${problem?.column}: the service refuses this: is not wanted`);
	expect(line.slice(problem?.offset).startsWith(found)).toBe(true);
});

test('a refusal of what the line does not say has no place in it', () => {
	for (const loc of [['body', 'limit'], ['query', 'account_id'], ['body', 'tasks', 3], []]) {
		expect(problemAtField('task:fold', fieldProblem({loc, msg: 'no'}))).toBeUndefined();
	}
});
