import {expect, test} from 'vitest';
import {NetworkError, RefusedError, RequestError, ServiceError} from '../../../source/client/errors.ts';
import {freshnessOf} from '../../../source/store/queries/freshness.ts';

const reading = {readAt: undefined, isFromLastSession: false, isReading: false, error: null};
const broken = new ServiceError('it broke', {status: 500});

test('before the first answer it is loading', () => {
	expect(freshnessOf({...reading, isReading: true})).toEqual({state: 'loading'});
});

test('what was read is fresh, and says so while it is read again', () => {
	expect(freshnessOf({...reading, readAt: 5})).toEqual({state: 'fresh', at: 5, isReading: false});
	expect(freshnessOf({...reading, readAt: 5, isReading: true})).toMatchObject({isReading: true});
});

test('what an earlier run read is stale without anything being wrong', () => {
	const freshness = freshnessOf({...reading, readAt: 5, isFromLastSession: true, isReading: true});
	expect(freshness).toMatchObject({state: 'stale', since: 5, isFromLastSession: true});
});

test('a failure leaves what was there, stale, with the reason', () => {
	const freshness = freshnessOf({...reading, readAt: 5, error: broken});
	expect(freshness).toMatchObject({state: 'stale', since: 5, reason: 'it broke', isTriedAgain: true});
});

test('a service that cannot be reached is offline, with or without something to show', () => {
	const error = new NetworkError('nobody there');
	expect(freshnessOf({...reading, error})).toMatchObject({state: 'offline', since: undefined});
	expect(freshnessOf({...reading, readAt: 5, error})).toMatchObject({state: 'offline', since: 5});
});

test.each([
	['a refused key', new RefusedError('no', {status: 401})],
	['what was not even sent', new RequestError('too long', {field: 'search', bound: 'must be shorter'})],
])('%s is not tried again by itself', (_, error) => {
	expect(freshnessOf({...reading, error})).toMatchObject({state: 'failed', isTriedAgain: false});
});
