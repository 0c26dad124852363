import {setTimeout as delay} from 'node:timers/promises';

/** Waits; an abort ends the wait, and is told of by the answer. */
export async function pause(ms: number, signal: AbortSignal): Promise<'over' | 'aborted'> {
	try {
		await delay(ms, undefined, {signal});
		return 'over';
	} catch (error) {
		if (signal.aborted) return 'aborted';
		throw error;
	}
}
