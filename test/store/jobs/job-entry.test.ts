import {expect, test} from 'vitest';
import {chartSpan} from '../../../source/panes/jobs/job-lines.ts';
import {currentTiming, jobEntry, lastedSeconds, phaseSeconds} from '../../../source/store/jobs/job-entry.ts';
import {stuckFor, usualTimes} from '../../../source/store/jobs/job-faults.ts';

const start = Date.UTC(2026, 4, 1, 10);
const at = (minute: number) => new Date(start + minute * 60_000).toISOString();

/** A job whose phases each began and ended at these minutes; one without an end runs. */
function job(status: string, phases: Record<string, readonly number[]>, item: Record<string, unknown> = {}) {
	const names = Object.keys(phases);
	return jobEntry('00000000-0000-4000-9000-000000000001', {
		kind: 'fine-tune',
		item,
		status: {
			job_id: '00000000-0000-4000-9000-000000000001',
			current_phase: names.at(-1) ?? '',
			status,
			phases: names.map(name => ({
				name,
				status: phases[name]?.length === 1 && status === 'running' ? 'in_progress' : 'completed',
				events: phases[name]?.map(minute => ({timestamp: at(minute)})) ?? null,
			})),
		},
	});
}

test('how long a job is in its phase goes on; what has ended took from its first event to its last', () => {
	const running = job('running', {queue: [0, 5], training: [5]});
	expect(currentTiming(running)?.name).toBe('training');
	expect(lastedSeconds(running, start + 65 * 60_000)).toBe(3600);
	expect(lastedSeconds(job('completed', {queue: [0, 5], training: [5, 30]}), start + 1e9)).toBe(1800);
});

test('a phase of a cancelled job that is left in progress runs on no more', () => {
	const cancelled = jobEntry('x', {
		kind: 'augmentation',
		status: {
			job_id: 'x',
			current_phase: 'trimming',
			status: 'cancelled',
			phases: [{name: 'trimming', status: 'in_progress', events: [{timestamp: at(0)}, {timestamp: at(5)}]}],
		},
	});
	const [trimming] = cancelled.timings;
	expect(trimming && phaseSeconds(trimming, start + 1e9)).toBe(300);
	expect(chartSpan(cancelled.timings, start + 1e9)?.to).toBe(start + 300_000);
});

test('a job that was launched here has its type, project and name, though its service tells none of them', () => {
	const request = {vla_type: 'act', project_id: 'p', hours: 2, dataset_id: 'acme/cups'};
	const launch = {jobId: 'x', at: start, hours: 2, dataset: 'acme/cups', request};
	expect(jobEntry('x', {kind: 'fine-tune', item: {job_id: 'x'}, launch})).toMatchObject({
		name: 'act on cups',
		projectId: 'p',
		fields: {vla_type: 'act', hours: 2},
	});
	const item = {job_id: 'x', name: 'mine', vla_type: 'pi0'};
	expect(jobEntry('x', {kind: 'fine-tune', item, launch})).toMatchObject({
		name: 'mine',
		fields: {vla_type: 'pi0'},
	});
});

test('a service whose clock is ahead has no phase of negative length', () => {
	expect(lastedSeconds(job('running', {training: [5]}), start)).toBe(0);
});

test('what the listing tells stands until the status is read, and unknown statuses stay as they came', () => {
	const item = {job_id: 'x', status: 'pondering', current_phase: 'thinking', region: 'eu'};
	const listed = jobEntry('x', {kind: 'fine-tune', item});
	expect(listed).toMatchObject({status: 'pondering', phase: 'thinking', fields: {region: 'eu'}});
});

test('a phase that takes three times what it takes here is called stuck, with what is usual', () => {
	const usual = usualTimes([
		job('completed', {queue: [0, 5], training: [5, 45]}),
		job('completed', {queue: [0, 5], training: [5, 25]}),
		job('failed', {queue: [0, 5], training: [5, 6]}),
	]);
	const running = job('running', {queue: [0, 5], training: [5]});
	expect(stuckFor(running, usual, start + 100 * 60_000)).toBeUndefined();
	expect(stuckFor(running, usual, start + 200 * 60_000)).toMatchObject({
		what: 'long-phase',
		usualSeconds: 2400,
	});
});

test('without finished jobs to compare with, a long phase is not called stuck', () => {
	expect(stuckFor(job('running', {training: [5]}), usualTimes([]), start + 1e9)).toBeUndefined();
});

test('a trainer that tells of no step, and one that is past its hours, are called stuck while they run', () => {
	const silent = job('running', {training: [0]}, {step_at: at(10)});
	expect(stuckFor(silent, new Map(), start + 15 * 60_000)).toBeUndefined();
	expect(stuckFor(silent, new Map(), start + 48 * 60_000)).toEqual({what: 'no-step', seconds: 2280});
	const late = {started_at: at(0), hours: 1};
	const now = start + 90 * 60_000;
	expect(stuckFor(job('running', {saving: [0]}, late), new Map(), now)).toMatchObject({
		what: 'past-its-hours',
	});
	expect(stuckFor(job('completed', {saving: [0]}, late), new Map(), now)).toBeUndefined();
});
