import {expect, test} from 'vitest';
import {z} from 'zod';
import {type ChildReport, childReport, lineReader} from '../../../source/service/workers/child-report.ts';

const done = '{"type":"done","episode_count":4,"total_frames":1492}\n';

function read(chunks: readonly string[]): ChildReport[] {
	const found: ChildReport[] = [];
	const take = lineReader(childReport, report => found.push(report));
	for (const chunk of chunks) take(chunk);
	return found;
}

test('lines are read however they are cut', () => {
	const progress = '{"type":"progress","done":1,"total":4,"unit":"episodes","step":"reading"}\n';
	const text = progress + done;
	for (let size = 1; size <= text.length; size += 7) {
		const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
		expect(read(chunks)).toEqual([JSON.parse(progress), JSON.parse(done)]);
	}
});

test('what is no report is passed over, and the next one is read', () => {
	expect(read(['Segmentation fault\n', '{"type":"progress"}\n', '[]\n', 'null\n', done])).toEqual([
		JSON.parse(done),
	]);
});

test('a line without an end is not kept, and what follows it is read', () => {
	const taken: unknown[] = [];
	const take = lineReader(z.unknown(), report => taken.push(report));
	for (let chunk = 0; chunk < 100; chunk++) take('x'.repeat(10_000));
	take(`\n${done}`);
	expect(taken).toEqual([JSON.parse(done)]);
});
