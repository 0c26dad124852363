import {expect, test} from 'vitest';
import {Reporter} from '../../../source/service/workers/reporter.ts';

function reporterAt() {
	const lines: Record<string, unknown>[] = [];
	const clock = {now: 0};
	const reporter = new Reporter(
		line => {
			expect(line.endsWith('\n')).toBe(true);
			lines.push(JSON.parse(line));
		},
		() => clock.now,
	);
	return {reporter, lines, clock};
}

test('progress is said ten times a second at most, and each new step at once', () => {
	const {reporter, lines, clock} = reporterAt();
	for (let done = 0; done < 1000; done++) {
		clock.now = done;
		reporter.progress({done, total: 1000, step: 'reading', detail: 'data/file-000.parquet'});
	}
	expect(lines).toHaveLength(10);
	reporter.progress({done: 1000, total: 1000, step: 'writing'});
	expect(lines.at(-1)).toEqual({
		type: 'progress',
		done: 1000,
		total: 1000,
		unit: 'episodes',
		step: 'writing',
	});
});

test('a dataset that is broken everywhere is told of a thousand times, and that there is more', () => {
	const {reporter, lines} = reporterAt();
	for (let episodeIndex = 0; episodeIndex < 1500; episodeIndex++) {
		reporter.problem({file: 'data', episodeIndex, message: 'x'.repeat(9000)});
	}
	expect(lines).toHaveLength(1000);
	expect(lines[3]).toMatchObject({type: 'problem', file: 'data', episode_index: 3});
	expect(String(lines[3]?.message)).toHaveLength(2000);
	expect(reporter.problems.at(-1)?.message).toBe('500 more problems of this dataset are not listed.');
});
