import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {readCard} from '../../../source/store/artifacts/opened-dataset.ts';

const never = new AbortController().signal;

/** How often the event loop turns until a card is read: as often as a key could have been answered. */
async function turnsWhile(reading: Promise<unknown>): Promise<number> {
	let turns = 0;
	let isDone = false;
	void reading.finally(() => {
		isDone = true;
	});
	for (; !isDone; turns++) await turn();
	return turns;
}

test('a card that takes its reader seconds holds up no key, and shows as it is written in the end', async () => {
	const markdown = '*a_'.repeat(10_000);
	const reading = readCard(markdown, never);
	expect(await turnsWhile(reading)).toBeGreaterThan(100);
	expect(await reading).toEqual({text: markdown, blocks: undefined, isCut: false});
	// The next card has a thread again.
	expect((await readCard('# Folding', never)).blocks).toEqual([
		{is: 'heading', runs: [{text: 'Folding', role: 'title'}]},
	]);
}, 60_000);

test('a card that nobody looks at any more is given up', async () => {
	const giveUp = new AbortController();
	const first = readCard('*a_'.repeat(10_000), never);
	const second = readCard('# Folding', giveUp.signal);
	giveUp.abort(new Error('left'));
	await expect(second).rejects.toThrow('left');
	await first;
}, 60_000);
