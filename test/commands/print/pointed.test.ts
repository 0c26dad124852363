import {expect, test} from 'vitest';
import {pointed} from '../../../source/commands/print/failure.ts';
import {parse} from '../../../source/query/parse.ts';

function shown(line: string): readonly string[] {
	const read = parse(line);
	if (read.ok) throw new Error(`${line} was read`);
	return pointed(line, read.problems).split('\n');
}

test('marks stand below what a problem is about, behind wide letters too', () => {
	expect(shown('毛巾 tier:x')).toEqual([
		'  毛巾 tier:x',
		'            ^',
		'Column 9: found x, expected a tier: retrainable, analyze_only or none.',
	]);
});

test('of a long line the part around the place is shown, in one row of a terminal', () => {
	const tasks = Array.from({length: 513}, (_, place) => `task${place}`).join(',');
	const [line = '', marks = '', sentence] = shown(`task:${tasks} towel`);
	expect(line.length).toBeLessThanOrEqual(80);
	expect(marks.length).toBeLessThanOrEqual(80);
	expect(line.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1)).toBe('task512');
	expect(sentence).toContain('found task512, expected at most 512 values of task:');
});
