import {expect, test} from 'vitest';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';
import {hasFault} from '../../../source/store/jobs/job-faults.ts';
import {timeLeft} from '../../../source/store/jobs/time-left.ts';

const began = '2026-05-01T10:00:00Z';
const now = Date.parse('2026-05-01T11:30:00Z');

const job = (fields: object, {status = 'running', retry = 0, launch = {}} = {}) =>
	jobEntry('j', {
		kind: 'fine-tune',
		item: {job_id: 'j', ...fields},
		status: {
			job_id: 'j',
			status,
			current_phase: 'training',
			phases: [{name: 'training', status: 'in_progress', events: [{timestamp: began, retry_attempt: retry}]}],
		},
		launch: {jobId: 'j', at: 0, ...launch},
	});

test('the time left is that of the hours, from when the job began', () => {
	expect(timeLeft(job({hours: 2, started_at: began}), now)).toEqual({ofHours: 1800, ofSteps: undefined});
	expect(timeLeft(job({hours: 1}), now).ofHours).toBe(-1800);
	expect(timeLeft(job({}, {launch: {hours: 4}}), now).ofHours).toBe(9000);
	expect(timeLeft(job({deadline_at: '2026-05-01T12:00:00Z', hours: 9}), now).ofHours).toBe(1800);
	expect(timeLeft(job({}), now).ofHours).toBeUndefined();
});

test('the steps tell how long they take where their rate is known', () => {
	expect(timeLeft(job({step: 100, steps: 700, steps_per_second: 2}), now).ofSteps).toBe(300);
	expect(timeLeft(job({step: 800, steps: 700, steps_per_second: 2}), now).ofSteps).toBe(0);
	expect(timeLeft(job({step: 100, steps: 700, steps_per_second: 0}), now).ofSteps).toBeUndefined();
});

test('a job that has ended has nothing left', () => {
	expect(timeLeft(job({hours: 2}, {status: 'failed'}), now)).toEqual({
		ofHours: undefined,
		ofSteps: undefined,
	});
});

test('what failed, was retried or is probably stuck has a fault', () => {
	const usual = new Map<string, number>();
	expect(hasFault(job({}, {status: 'failed'}), usual, now)).toBe(true);
	expect(hasFault(job({}, {retry: 2}), usual, now)).toBe(true);
	expect(hasFault(job({hours: 1, started_at: began}), usual, now)).toBe(true);
	expect(hasFault(job({hours: 2, started_at: began}), usual, now)).toBe(false);
	expect(hasFault(job({}, {status: 'cancelled'}), usual, now)).toBe(false);
});
