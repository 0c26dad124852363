import {expect, test} from 'vitest';
import {newsSince} from '../../../source/store/activity/activity-monitor.ts';
import {endedJobs, endedUploads, jobNews, told, uploadNews} from '../../../source/store/activity/endings.ts';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';
import {entryOfOperation} from '../../../source/store/uploads/upload-entry.ts';

const upload = (operationId: string, phase: string, {message = '', since = 1000} = {}) =>
	entryOfOperation({
		operationId,
		name: `cups-${operationId}`,
		repoId: undefined,
		since,
		status: {
			phase,
			done: phase === 'finalized' || phase === 'failed',
			message,
			...(phase === 'finalized' && {generation: 3, episode_count: 40}),
		},
		trouble: undefined,
	});

const job = (id: string, status: string, at = '2026-05-01T10:00:00Z') =>
	jobEntry(id, {
		kind: 'fine-tune',
		status: {
			job_id: id,
			status,
			current_phase: 'training',
			phases: [{name: 'training', status: 'completed', events: [{timestamp: at}]}],
		},
	});

test('only what was seen under way has ended', () => {
	const before = [upload('a', 'preparing'), upload('b', 'finalized'), upload('d', 'publishing')];
	const after = [
		upload('a', 'finalized'),
		upload('b', 'finalized'),
		upload('c', 'failed'),
		upload('d', 'preparing'),
	];
	expect(endedUploads(before, after).map(({key}) => key)).toEqual(['a']);
	expect(
		endedJobs([job('a', 'running'), job('b', 'completed')], [job('a', 'failed'), job('b', 'completed')]),
	).toMatchObject([{id: 'a'}]);
});

test('each ending is one sentence, many of them are one together', () => {
	expect(uploadNews(upload('a', 'finalized'))).toEqual({
		kind: 'info',
		text: 'cups-a is in the lake: generation 3, 40 episodes.',
	});
	expect(uploadNews(upload('a', 'failed', {message: 'a file is torn'}))).toEqual({
		kind: 'error',
		text: 'cups-a was not ingested: a file is torn',
	});
	expect(jobNews(job('abc', 'completed')).text).toBe('The job abc has completed.');
	const news = ['completed', 'failed', 'failed', 'completed'].map(status => jobNews(job('x', status)));
	expect(told(news.slice(0, 3))).toHaveLength(3);
	expect(told(news)).toEqual([
		{kind: 'error', text: '4 uploads and jobs have ended, 2 of them with a failure.'},
	]);
});

const lookedAt = Date.parse('2026-05-01T12:00:00Z');
const arrival = {lookedAt, episodesBefore: 40, episodes: 40, uploads: [], jobs: []};

test('what came and what ended since somebody last looked is counted in words', () => {
	const later = lookedAt + 60_000;
	const text = newsSince({
		...arrival,
		episodes: 160n,
		uploads: [
			upload('a', 'finalized', {since: later}),
			upload('b', 'failed', {since: later}),
			upload('c', 'finalized', {since: lookedAt - 1}),
			upload('d', 'preparing', {since: later}),
		],
		jobs: [
			job('a', 'completed', '2026-05-01T12:30:00Z'),
			job('b', 'completed', '2026-05-01T11:30:00Z'),
			job('c', 'running', '2026-05-01T12:30:00Z'),
		],
	});
	expect(text).toBe(
		'New since you last looked: 120 episodes, 1 upload ingested, 1 upload failed, 1 job completed.',
	);
});

test('nothing new, nobody who looked before, or episodes that went are no news', () => {
	expect(newsSince(arrival)).toBeUndefined();
	expect(newsSince({...arrival, episodes: 7})).toBeUndefined();
	expect(newsSince({...arrival, episodes: 99, episodesBefore: undefined})).toBeUndefined();
	expect(newsSince({...arrival, episodes: 99, lookedAt: undefined})).toBeUndefined();
});
