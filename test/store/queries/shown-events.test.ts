import {expect, test} from 'vitest';
import {type LogEntry, shownEvents} from '../../../source/store/queries/event-log.ts';

const event = (number: number, name: string, data = '{}'): LogEntry => ({
	kind: 'event',
	number,
	at: number,
	event: {name, id: undefined, data, cut: 0, called: undefined, links: [], others: [], state: undefined},
});
const cut: LogEntry = {kind: 'mark', number: 2, at: 2, mark: {what: 'interrupted', reason: 'broken off'}};
const log = [event(1, 'job.phase'), cut, event(3, 'upload.phase', '{"Name":"Cups"}')];
const numbers = (show: Parameters<typeof shownEvents>[1]) => shownEvents(log, show).map(({number}) => number);

test('the newest event stands first', () => {
	expect(numbers({search: '', pausedAt: undefined})).toEqual([3, 2, 1]);
});

test('a search leaves events that hold it, in any case, and every interruption', () => {
	expect(numbers({search: 'cups', pausedAt: undefined})).toEqual([3, 2]);
	expect(numbers({search: 'JOB', pausedAt: undefined})).toEqual([2, 1]);
});

test('paused, what comes later does not show', () => {
	expect(numbers({search: '', pausedAt: 2})).toEqual([2, 1]);
});
