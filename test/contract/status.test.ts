import {describe, expect, test} from 'vitest';
import {jobStatus} from '../../source/contract/job-status.ts';
import {syncStatus} from '../../source/contract/sync-status.ts';
import {holdAbsentAsNull, holdBounds, holdChoices, holdPresence, type Subject} from './bounds.ts';
import {job, someUuid} from './examples.ts';

describe('re-ingest status', () => {
	const example = {
		phase: 'finalized',
		done: true,
		message: '',
		progress_json: '',
		dataset_version_id: someUuid,
		generation: 4,
		episode_count: 12,
		total_frames: 9000,
	};
	const subject: Subject = {section: '2.8 sync status', schema: syncStatus, example};
	const {phase: _phase, done: _done, ...optional} = example;

	holdBounds(subject, [
		['phase', 'a string', '', 3],
		['done', 'a boolean', false, 'false'],
		['message', 'a string', 'disk full', 3],
		['progress_json', 'a string', '{}', {}],
		['dataset_version_id', 'a string', 'v4', 4],
		['generation', 'an integer', 1, 1.5],
		['episode_count', 'an integer', 1, 1.5],
		['total_frames', 'an integer', 2n ** 60n, 1.5],
	]);
	holdPresence(subject, {required: ['phase', 'done'], optional: Object.keys(optional)});
	holdAbsentAsNull(subject, Object.keys(optional));
	holdChoices(subject, 'phase', ['queued', 'preparing', 'publishing', 'finalized', 'failed'], {open: true});
});

describe('job status', () => {
	const subject: Subject = {section: '2.9 job status', schema: jobStatus, example: job};
	holdBounds(subject, [
		['job_id', 'a uuid', someUuid, '7'],
		['current_phase', 'a string', '', null],
		['phases.0.events.0.timestamp', 'a date-time', '2025-01-06T09:00:00Z', '09:00'],
		['phases.0.events.0.retry_attempt', 'an integer', 0, 0.5],
	]);
	holdPresence(subject, {
		required: [
			'job_id',
			'current_phase',
			'status',
			'phases.0.name',
			'phases.0.status',
			'phases.0.events.0.timestamp',
		],
		optional: ['phases', 'phases.0.events', 'phases.0.events.0.retry_attempt'],
	});
	holdAbsentAsNull(subject, ['phases.0.events.0.retry_attempt']);
	holdChoices(subject, 'status', ['queued', 'running', 'completed', 'failed', 'cancelled'], {open: true});
	holdChoices(subject, 'phases.0.status', ['pending', 'in_progress', 'completed', 'failed'], {open: true});

	test('2.9 job status: the result of an augmentation is kept under whatever name it has', () => {
		expect(jobStatus.parse({...job, augmented: 'acme/cups-night'})).toEqual({
			...job,
			augmented: 'acme/cups-night',
		});
	});
});
