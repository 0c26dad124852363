import {expect, test} from 'vitest';
import {readProgressDetail} from '../../source/contract/progress-detail.ts';

const read = (value: unknown) =>
	readProgressDetail(typeof value === 'string' ? value : JSON.stringify(value));

test.each([
	[{done: 12, total: 40, unit: 'episodes', step: 'reading'}, ['reading', 12, 40, 'episodes']],
	[{episodes_done: 3, total_episodes: 12}, [undefined, 3, 12, 'episodes']],
	[{framesProcessed: 5, framesTotal: 6, stage: 'hashing'}, ['hashing', 5, 6, 'frames']],
	[{current: '7', of: '9'}, [undefined, 7, 9, undefined]],
	[{step: 'copy', progress: {completed: 1, count: 2}}, ['copy', 1, 2, undefined]],
	[{progress: 0.25}, [undefined, 25, 100, '%']],
	[{percent: 99.5, message: 'nearly'}, ['nearly', 99.5, 100, '%']],
	[{done: 50, total: 40}, [undefined, 40, 40, undefined]],
	[{message: 'episode 3 of 8'}, ['episode 3 of 8', 3, 8, undefined]],
	['"uploading 2/5 files"', ['uploading 2/5 files', 2, 5, 'files']],
	['uploading 2/5 files', ['uploading 2/5 files', 2, 5, 'files']],
	['warming up', ['warming up', undefined, undefined, undefined]],
	[{done: 3}, [undefined, undefined, undefined, undefined]],
	[{done: -1, total: 5}, [undefined, undefined, undefined, undefined]],
	[{done: 1, total: 0}, [undefined, undefined, undefined, undefined]],
	[{done: true, total: 'many', step: 7}, [undefined, undefined, undefined, undefined]],
	[
		[1, 2],
		['[1,2]', undefined, undefined, undefined],
	],
])('2.8 progress_json %j is read by shape', (value, [step, done, total, unit]) => {
	expect(read(value)).toMatchObject({step, done, total, unit});
});

test('2.8 an empty progress_json says nothing, and a broken or an endless one harms nothing', () => {
	for (const text of ['', '  ', null, undefined]) expect(readProgressDetail(text)).toBeUndefined();
	for (const text of ['{"done": 1, "tot', '['.repeat(100_000), '\0', 'x'.repeat(200_000)])
		expect(readProgressDetail(text)?.total).toBeUndefined();
});
