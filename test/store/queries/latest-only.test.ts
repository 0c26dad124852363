import {expect, test} from 'vitest';
import {LatestOnlyQueue} from '../../../source/store/queries/latest-only.ts';

/** Work that settles when told to, or soon after it is given up. */
function works() {
	const begun: string[] = [];
	const given: string[] = [];
	let underWay = 0;
	let most = 0;
	const settles = new Map<string, () => void>();
	const work = (name: string) => (signal: AbortSignal) => {
		begun.push(name);
		underWay += 1;
		most = Math.max(most, underWay);
		return new Promise<void>((resolve, reject) => {
			settles.set(name, resolve);
			signal.addEventListener('abort', () => {
				given.push(name);
				queueMicrotask(() => reject(signal.reason));
			});
		}).finally(() => {
			underWay -= 1;
		});
	};
	return {begun, given, work, settle: (name: string) => settles.get(name)?.(), most: () => most};
}

test('one question is asked at a time; one of a name takes the place of the one before', async () => {
	const {begun, given, work, settle, most} = works();
	const lane = new LatestOnlyQueue();
	lane.want('count', work('count 1'));
	lane.want('names', work('names'));
	lane.want('count', work('count 2'));
	lane.want('count', work('count 3'));
	expect(begun).toEqual(['count 1']);
	expect(given).toEqual(['count 1']);
	await expect.poll(() => begun).toEqual(['count 1', 'names']);
	settle('names');
	await expect.poll(() => begun).toEqual(['count 1', 'names', 'count 3']);
	expect(most()).toBe(1);
	lane.clear();
	expect(given).toEqual(['count 1', 'count 3']);
});
