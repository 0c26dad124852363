import {expect, test} from 'vitest';
import {readHint} from '../../../source/client/events/event-hint.ts';
import {concernsOf} from '../../../source/store/activity/keep-fresh.ts';

const id = '00000000-0000-4000-8000-000000000001';
const concerns = (data: unknown) => concernsOf(readHint({name: 'whatever', data: JSON.stringify(data)}));

test('an ingest that is on its way concerns the feed, one that ended the lake too', () => {
	expect(concerns({operation_id: id, phase: 'preparing'})).toEqual({lake: false, uploads: true, jobs: false});
	expect(concerns({operation_id: id, phase: 'finalized'})).toEqual({lake: true, uploads: true, jobs: false});
});

test('a phase that nobody knows may have changed the lake', () => {
	expect(concerns({operationId: id, phase: 'reticulating'}).lake).toBe(true);
});

test('a job concerns the jobs alone', () => {
	expect(concerns({job_id: id, status: 'running'})).toEqual({lake: false, uploads: false, jobs: true});
});

test('what names nothing, or something under a name that says nothing, concerns everything', () => {
	expect(concerns({})).toEqual({lake: true, uploads: true, jobs: true});
	expect(concerns('not even an object')).toEqual({lake: true, uploads: true, jobs: true});
	expect(concerns({x: id})).toEqual({lake: true, uploads: true, jobs: true});
});
