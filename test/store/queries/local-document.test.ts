import {afterEach, expect, test, vi} from 'vitest';
import {NetworkError} from '../../../source/client/errors.ts';
import {LocalWatch} from '../../../source/store/queries/local-document.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';

afterEach(() => {
	vi.useRealTimers();
});

test('a service that cannot be reached is asked ever more rarely', async () => {
	vi.useFakeTimers();
	const asked: number[] = [];
	const unreachable = async (): Promise<never> => {
		asked.push(Date.now());
		throw new NetworkError('Nothing listens there.', {code: 'ECONNREFUSED'});
	};
	const queries = createQueryClient();
	const watch = new LocalWatch({
		queries,
		client: {
			localDocument: unreachable,
			listIngests: unreachable,
			startSample: unreachable,
			sampleStatus: unreachable,
		},
		changed: () => undefined,
	});
	watch.start();
	await vi.advanceTimersByTimeAsync(600_000);
	watch.stop();
	queries.clear();
	const pauses = asked.slice(1).map((at, nth) => at - (asked[nth] ?? 0));
	expect(pauses[0]).toBeGreaterThanOrEqual(2000);
	expect(pauses.slice(6).every(pause => pause >= 120_000)).toBe(true);
	expect(asked.length).toBeLessThan(14);
});
