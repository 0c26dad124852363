import {expect, test, vi} from 'vitest';
import {Activity} from '../../../source/service/host/activity.ts';
import {JobRunner, type RunnerOptions} from '../../../source/service/jobs/job-runner.ts';

test('a disk that fails while jobs are looked up ends nothing, and the next look finds them', async () => {
	const lines: string[] = [];
	const running = vi.fn<() => never[]>(() => []);
	running.mockImplementationOnce(() => {
		throw Object.assign(new Error('disk I/O error'), {errcode: 10});
	});
	const runner = new JobRunner({
		store: {running, queued: () => []},
		activity: new Activity({graceMs: Number.POSITIVE_INFINITY, onIdle: () => undefined}),
		log: (line: string) => lines.push(line),
	} as unknown as RunnerOptions);
	runner.pump();
	expect(lines).toEqual(['the jobs cannot be read: disk I/O error; retried in 5 s']);
	runner.pump();
	expect([running.mock.calls.length, lines.length]).toEqual([2, 1]);
	await runner.close();
});
