import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {ConcurrencyLimit} from '../source/concurrency.ts';

test('no more work at once than there are places, and each place is given on in turn', async () => {
	const limit = new ConcurrencyLimit(2);
	const order: number[] = [];
	let working = 0;
	let most = 0;
	await Promise.all(
		Array.from({length: 7}, async (_, turn) => {
			const release = await limit.take();
			order.push(turn);
			most = Math.max(most, ++working);
			await Promise.resolve();
			working--;
			release();
			release();
		}),
	);
	expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]]);
});

test('work that is cancelled while it waits, keeps no place', async () => {
	const limit = new ConcurrencyLimit(3);
	const cancelled = new AbortController();
	let working = 0;
	let most = 0;
	const work = async () => {
		most = Math.max(most, ++working);
		await setImmediate();
		working--;
		return 'done';
	};
	const signalOf = (turn: number) => (turn % 5 === 4 ? cancelled.signal : undefined);
	const turns = Array.from({length: 40}, (_, turn) => limit.run(work, signalOf(turn)));
	cancelled.abort(new Error('cancelled'));
	const ends = await Promise.allSettled(turns);
	expect(most).toBe(3);
	expect(ends.filter(({status}) => status === 'fulfilled')).toHaveLength(32);
	await expect(limit.run(work)).resolves.toBe('done');
});

test('results of a list come in its order, and the first failure is told', async () => {
	const limit = new ConcurrencyLimit(2);
	const late = async (count: number) => {
		for (let turn = 0; turn < count; turn++) await setImmediate();
		return count;
	};
	await expect(limit.map([5, 1, 3, 0], late)).resolves.toEqual([5, 1, 3, 0]);
	const failing = async (count: number) => {
		if (count === 1) throw new Error('not this one');
		return late(count);
	};
	await expect(limit.map([5, 1, 3, 0], failing)).rejects.toThrow('not this one');
});
