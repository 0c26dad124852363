import {expect, test} from 'vitest';
import type {JobPhase} from '../../../source/contract/job-status.ts';
import {momentOf, timingsOf} from '../../../source/store/jobs/job-entry.ts';

const at = (minute: number) => `2026-05-01T10:${String(minute).padStart(2, '0')}:00Z`;
const phase = (name: string, status: string, ...minutes: number[]): JobPhase => ({
	name,
	status,
	events: minutes.map(minute => ({timestamp: at(minute)})),
});

const spans = (...phases: JobPhase[]) =>
	timingsOf({phases}).map(({name, startedAt, endedAt}) => [
		name,
		startedAt && new Date(startedAt).getUTCMinutes(),
		endedAt && new Date(endedAt).getUTCMinutes(),
	]);

test('a phase that is over ended with its last event, or when the next began', () => {
	expect(
		spans(
			phase('queue', 'completed', 0),
			phase('unseen', 'completed'),
			phase('load', 'completed', 5, 8),
			phase('train', 'in_progress', 9, 12),
			phase('save', 'pending'),
		),
	).toEqual([
		['queue', 0, 5],
		['unseen', undefined, 9 - 4],
		['load', 5, 8],
		['train', 9, undefined],
		['save', undefined, undefined],
	]);
});

test('retries are counted by what the events say, and a time that cannot be read is none', () => {
	const events = [
		{timestamp: at(1), retry_attempt: 0},
		{timestamp: at(2), retry_attempt: 1},
		{timestamp: 'yesterday', retry_attempt: 3, note: 'x'},
	];
	const [timing] = timingsOf({phases: [{name: 'train', status: 'failed', events}]});
	expect(timing).toMatchObject({retries: 3, startedAt: Date.parse(at(1)), endedAt: Date.parse(at(2))});
	expect(timing?.events.at(-1)).toMatchObject({at: undefined, event: {note: 'x'}});
	expect(timingsOf({phases: null})).toEqual([]);
});

test('a date-time without a zone is UTC', () => {
	expect(momentOf('2026-05-01T10:00:00')).toBe(Date.UTC(2026, 4, 1, 10));
	expect(momentOf('2026-05-01T10:00:00.5+02:00')).toBe(Date.UTC(2026, 4, 1, 8, 0, 0, 500));
	expect(momentOf('')).toBeUndefined();
});
