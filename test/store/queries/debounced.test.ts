import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {DebouncedQuery} from '../../../source/store/queries/debounced.ts';
import {LatestOnlyQueue} from '../../../source/store/queries/latest-only.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a cursor that walks past asks nothing; where it rests is asked once', async () => {
	const asked: string[] = [];
	const query = new DebouncedQuery({restMs: 150});
	for (const row of ['first', 'second', 'third']) {
		query.want(async () => asked.push(row));
		await vi.advanceTimersByTimeAsync(149);
	}
	expect(asked).toEqual([]);
	await vi.advanceTimersByTimeAsync(1);
	expect(asked).toEqual(['third']);
});

test('what is being asked is given up for something else, or for nothing', async () => {
	const signals: AbortSignal[] = [];
	const query = new DebouncedQuery({restMs: 150});
	const never = (signal: AbortSignal) => {
		signals.push(signal);
		return new Promise((_, reject) => signal.addEventListener('abort', reject));
	};
	query.want(never);
	await vi.advanceTimersByTimeAsync(150);
	query.want(never);
	expect(signals.map(({aborted}) => aborted)).toEqual([true]);
	await vi.advanceTimersByTimeAsync(150);
	query.drop();
	expect(signals.map(({aborted}) => aborted)).toEqual([true, true]);
});

test('questions of one queue go one after the other', async () => {
	const asked: string[] = [];
	const queue = new LatestOnlyQueue();
	const count = new DebouncedQuery({restMs: 100, queue, name: 'count'});
	const histogram = new DebouncedQuery({restMs: 100, queue, name: 'histogram'});
	const {promise, resolve} = Promise.withResolvers<void>();
	count.want(() => {
		asked.push('count');
		return promise;
	});
	histogram.want(async () => asked.push('histogram'));
	await vi.advanceTimersByTimeAsync(100);
	expect(asked).toEqual(['count']);
	resolve();
	await vi.advanceTimersByTimeAsync(0);
	expect(asked).toEqual(['count', 'histogram']);
});
