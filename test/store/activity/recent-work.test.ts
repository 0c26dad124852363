import {expect, test} from 'vitest';
import {recentJobs, recentUploads} from '../../../source/store/activity/recent-work.ts';
import {type JobEntry, jobEntry} from '../../../source/store/jobs/job-entry.ts';
import type {UploadEntry} from '../../../source/store/uploads/upload-entry.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const minute = 60_000;

function upload(key: string, entry: Partial<UploadEntry>): UploadEntry {
	return {
		key,
		name: key,
		kind: 'upload',
		repoId: undefined,
		operationId: undefined,
		phase: 'preparing',
		done: false,
		quiet: false,
		message: undefined,
		progress: undefined,
		status: undefined,
		bytes: undefined,
		folder: undefined,
		updatedAt: now,
		createdAt: undefined,
		problems: [],
		problemCount: 0,
		trouble: undefined,
		...entry,
	};
}

function job(id: string, status: 'queued' | 'running' | 'completed', minutesAgo: number): JobEntry {
	const timestamp = new Date(now - minutesAgo * minute).toISOString();
	const phases = [{name: 'saving', status: 'completed', events: [{timestamp}]}];
	return jobEntry(id, {kind: 'fine-tune', status: {job_id: id, current_phase: 'saving', status, phases}});
}

test('uploads are shown while they are under way and for an hour after, those first that move', () => {
	const shown = recentUploads(
		[
			upload('just ended', {phase: 'finalized', done: true, updatedAt: now - 5 * minute}),
			upload('long ended', {phase: 'failed', done: true, updatedAt: now - 61 * minute}),
			upload('slow', {updatedAt: now - 300 * minute}),
			upload('dismissed', {phase: 'failed', done: true, quiet: true}),
			upload('unknown', {phase: undefined}),
		],
		now,
	);
	expect(shown.map(({key}) => key)).toEqual(['slow', 'just ended']);
});

test('jobs are shown while they are under way and for an hour after, the newest end first', () => {
	const shown = recentJobs(
		[
			job('older', 'completed', 50),
			job('old', 'completed', 61),
			job('newer', 'completed', 2),
			job('long running', 'running', 9000),
			job('queued', 'queued', 0),
			jobEntry('unread', {kind: undefined}),
		],
		now,
	);
	expect(shown.map(({id}) => id)).toEqual(['long running', 'queued', 'newer', 'older']);
});
