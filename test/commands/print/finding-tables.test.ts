import {expect, test} from 'vitest';
import type {Section} from '../../../source/commands/doctor-probes.ts';
import {findingTables} from '../../../source/commands/print/finding-tables.tsx';
import {drawingOn} from '../../../source/commands/print/output.ts';
import {textWidth} from '../../../source/terminal/width.ts';

const sections: readonly Section[] = [
	{
		title: 'Configured',
		findings: [
			{state: 'ok', subject: 'lake', words: '/home/录制/机器人 0700'},
			{state: 'problem', subject: 'key', words: `${'k'.repeat(70)}: others may read it\u001b[31m`},
		],
	},
	{
		title: 'Answers of http://robot',
		findings: [
			{state: 'ok', subject: 'GET /v1/datasets/sync-status/{operation_id}', words: 'answers', ms: 12.4},
			{
				state: 'breach',
				subject: 'GET /v1/jobs/list',
				words: 'answers in breach of the interface',
				ms: 3,
				breaches: [{path: 'items[0].job_id', expected: 'a uuid', found: 'number 7'}],
			},
		],
	},
];

const rowsAt = (width: number, utf8 = true) => findingTables(sections, {width, utf8}).split('\n');

test.each([44, 60, 80, 200])('a table of findings is whole at %i columns', width => {
	const rows = rowsAt(width);
	for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
	const framed = rows.filter(row => /^[┌├│└]/.test(row));
	for (const [at, row] of framed.entries()) {
		if (!row.startsWith('┌')) expect(textWidth(row)).toBe(textWidth(framed[at - 1] ?? ''));
	}
	const text = rows.join('').replaceAll(/\s+/g, ' ');
	expect(text).toContain('items[0].job_id: expected a uuid, found number 7');
	expect(text.replaceAll(' ', '')).toContain(`${'k'.repeat(20)}:othersmayreadit`);
	// Wide letters would push the frame: their numbers stand there.
	expect(text).not.toContain('\u001b');
	expect(framed.join('')).not.toMatch(/[录制机器人]/);
	expect(rows.join('')).toContain('12 ms');
});

test('without UTF-8 a table is drawn in ASCII', () => {
	const rows = rowsAt(80, false);
	expect(rows[1]).toMatch(/^\+-+\+-+\+-+\+$/);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
	expect(rows.join('\n')).toMatch(/^[\x00-\x7f]*$/);
});

test('nothing is drawn where lines are read aloud or cannot be taken back, and nothing turns over SSH', () => {
	const on = (env: Record<string, string>, isTTY = true) =>
		drawingOn({isTTY} as NodeJS.WriteStream, {TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env});
	expect(on({})).toEqual({utf8: true, turns: true});
	expect(on({}, false)).toBeUndefined();
	expect(on({TERM: 'dumb'})).toBeUndefined();
	expect(on({INK_SCREEN_READER: 'true'})).toBeUndefined();
	expect(on({SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'})).toEqual({utf8: true, turns: false});
	expect(on({LANG: 'C'})).toEqual({utf8: false, turns: true});
});
