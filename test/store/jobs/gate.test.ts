import {expect, test} from 'vitest';
import {Gate} from '../../../source/store/jobs/job-statuses.ts';

test('no more are inside than may be, all get in, and who was called off costs no place', async () => {
	const gate = new Gate(3);
	const off = new AbortController();
	let inside = 0;
	let most = 0;
	const work = async () => {
		most = Math.max(most, ++inside);
		await new Promise(resolve => setImmediate(resolve));
		inside--;
		return 'done';
	};
	const signalOf = (turn: number) => (turn % 5 === 4 ? off.signal : new AbortController().signal);
	const turns = Array.from({length: 40}, (_, turn) => gate.pass(signalOf(turn), work));
	off.abort(new Error('called off'));
	const ends = await Promise.allSettled(turns);
	expect(most).toBe(3);
	expect(ends.filter(({status}) => status === 'fulfilled').length).toBeGreaterThanOrEqual(32);
	await expect(gate.pass(new AbortController().signal, work)).resolves.toBe('done');
});
