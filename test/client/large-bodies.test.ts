import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {LargeBodies} from '../../source/client/body.ts';

const open = new AbortController().signal;

test('large bodies are read one after the other, and one that was given up is waited for by nobody', async () => {
	const bodies = new LargeBodies();
	const order: string[] = [];
	const first = await bodies.enter(open);
	const givenUp = new AbortController();
	const second = bodies.enter(givenUp.signal).then(
		() => order.push('second'),
		(reason: unknown) => order.push(`second: ${reason}`),
	);
	const third = bodies.enter(open).then(leave => {
		order.push('third');
		leave();
	});
	givenUp.abort('another filter');
	await second;
	await turn();
	expect(order).toEqual(['second: another filter']);
	first();
	await third;
	expect(order).toEqual(['second: another filter', 'third']);
	(await bodies.enter(open))();
});
