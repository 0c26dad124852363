import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {quietMs, Transfers} from '../../../source/service/uploads/transfers.ts';

beforeEach(() => void vi.useFakeTimers({now: 1_000_000}));
afterEach(() => void vi.useRealTimers());

function watched() {
	let held = 0;
	const hold = () => {
		held++;
		return () => void held--;
	};
	const transfers = new Transfers({quietMs: 60_000, now: Date.now, hold});
	return {transfers, held: () => held};
}

test('the service is held while something is sent, and for the quiet time after', () => {
	const {transfers, held} = watched();
	expect(held()).toBe(0);
	transfers.moved('a');
	vi.advanceTimersByTime(59_000);
	transfers.moved('b');
	vi.advanceTimersByTime(59_999);
	expect(held()).toBe(1);
	vi.advanceTimersByTime(1);
	expect(held()).toBe(0);
	transfers.moved('a');
	expect(held()).toBe(1);
});

test('a blob on a slow line holds the service and keeps its upload from being quiet, however long it takes', () => {
	const {transfers, held} = watched();
	const began = Date.now();
	const end = transfers.begin('a');
	vi.advanceTimersByTime(600_000);
	expect([held(), transfers.isQuiet('a', began), transfers.isQuiet('b', began)]).toEqual([1, false, true]);
	end();
	vi.advanceTimersByTime(60_000);
	expect([held(), transfers.isQuiet('a', began)]).toEqual([0, true]);
});

test('an upload is quiet when nothing came for it, even if another is being sent', () => {
	const {transfers} = watched();
	const began = Date.now();
	vi.advanceTimersByTime(59_999);
	expect(transfers.isQuiet('a', began)).toBe(false);
	transfers.moved('b');
	vi.advanceTimersByTime(1);
	expect(transfers.isQuiet('a', began)).toBe(true);
});

test('a call that names no upload counts for every one', () => {
	const {transfers} = watched();
	const began = Date.now();
	vi.advanceTimersByTime(100_000);
	transfers.moved(undefined);
	expect(transfers.isQuiet('a', began)).toBe(false);
	const end = transfers.begin(undefined);
	vi.advanceTimersByTime(100_000);
	expect(transfers.isQuiet('a', began)).toBe(false);
	end();
	vi.advanceTimersByTime(60_000);
	expect(transfers.isQuiet('a', began)).toBe(true);
});

test('the service is let go at once when nothing is staging any more', () => {
	const {transfers, held} = watched();
	transfers.moved('a');
	transfers.settled();
	expect(held()).toBe(0);
	const end = transfers.begin('a');
	transfers.settled();
	expect(held()).toBe(1);
	end();
	transfers.settled();
	expect(held()).toBe(0);
});

test('the quiet time is a minute unless the environment says otherwise', () => {
	expect(quietMs({})).toBe(60_000);
	expect(quietMs({LAKESCOPE_UPLOAD_QUIET_S: '5'})).toBe(5000);
	expect(quietMs({LAKESCOPE_UPLOAD_QUIET_S: 'soon'})).toBe(60_000);
});
