import {setTimeout as delay} from 'node:timers/promises';
import type {StoreApi} from 'zustand/vanilla';
import type {Result} from '../queries/explore-result.ts';

/** How long what acts on rows waits for those of the question that was asked last. */
const patienceMs = 1000;

/**
 * While the rows that show answer an older question: settles when those of the newest are there, when that was asked in
 * vain, or after a second. Undefined where they are there.
 */
export function newestAnswer(result: StoreApi<Result>): Promise<void> | undefined {
	if (!isAwaited(result.getState())) return undefined;
	const {promise, resolve} = Promise.withResolvers<void>();
	const stop = result.subscribe(now => {
		if (!isAwaited(now)) resolve();
	});
	return Promise.race([promise, delay(patienceMs, undefined, {ref: false})]).finally(stop);
}

/** A newer question has been asked, and may be answered soon. */
function isAwaited({isPrevious, freshness}: Result): boolean {
	return isPrevious && !('reason' in freshness);
}
