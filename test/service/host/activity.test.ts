import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Activity, type Reason} from '../../../source/service/host/activity.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(graceMs: number) {
	const onIdle = vi.fn();
	return {activity: new Activity({graceMs, onIdle}), onIdle};
}

/** One that its first client has left. */
function left(graceMs: number) {
	const service = watched(graceMs);
	service.activity.begin('client')();
	return service;
}

test.each([
	[1000, 10_000],
	[60_000, 60_000],
])('with a grace of %d ms a service that nobody ever calls ends after %d ms', (graceMs, endsMs) => {
	const {activity, onIdle} = watched(graceMs);
	vi.advanceTimersByTime(endsMs - 1);
	expect(onIdle).not.toHaveBeenCalled();
	// The first page is asked for before the service is held.
	activity.begin('request')();
	vi.advanceTimersByTime(endsMs - 1);
	expect(onIdle).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(onIdle).toHaveBeenCalledOnce();
});

test.each(['client', 'request', 'operation'] as Reason[])(
	'a %s keeps it, and its end starts the grace anew',
	reason => {
		const {activity, onIdle} = left(1000);
		vi.advanceTimersByTime(900);
		const end = activity.begin(reason);
		vi.advanceTimersByTime(100_000);
		expect([onIdle.mock.calls.length, activity.count(reason)]).toEqual([0, 1]);
		end();
		end();
		expect(activity.count(reason)).toBe(0);
		vi.advanceTimersByTime(999);
		expect(onIdle).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(onIdle).toHaveBeenCalledOnce();
	},
);

test('all that needs it must end', () => {
	const {activity, onIdle} = watched(1000);
	const ends = [activity.begin('client'), activity.begin('request'), activity.begin('client')];
	for (const end of ends) {
		vi.advanceTimersByTime(10_000);
		expect(onIdle).not.toHaveBeenCalled();
		end();
	}
	vi.advanceTimersByTime(1000);
	expect(onIdle).toHaveBeenCalledOnce();
});

test('one that is to stay, or is ending, does not call', () => {
	const staying = watched(Number.POSITIVE_INFINITY);
	const ending = watched(1000);
	ending.activity.stop();
	ending.activity.begin('request')();
	vi.advanceTimersByTime(1_000_000);
	expect([staying.onIdle.mock.calls.length, ending.onIdle.mock.calls.length]).toEqual([0, 0]);
});
