import {expect, test} from 'vitest';
import {Slots} from '../../../source/service/workers/slots.ts';

test('no more work at once than there are places, and each place is given on in turn', async () => {
	const slots = new Slots(2);
	const order: number[] = [];
	let working = 0;
	let most = 0;
	await Promise.all(
		Array.from({length: 7}, async (_, turn) => {
			const leave = await slots.take();
			order.push(turn);
			most = Math.max(most, ++working);
			await Promise.resolve();
			working--;
			leave();
			leave();
		}),
	);
	expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]]);
});
