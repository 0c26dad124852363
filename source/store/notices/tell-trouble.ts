import type {StoreApi} from 'zustand/vanilla';
import type {Result} from '../result.ts';

/** Tells why nothing newer shows, which the rows on the screen hide; the same reason once until all is well again. */
export function tellTrouble(result: StoreApi<Result>, tell: (reason: string) => void): void {
	let told: string | undefined;
	result.subscribe(({freshness, rowCount}) => {
		if (freshness.state === 'fresh') told = undefined;
		if (rowCount === 0 || (freshness.state !== 'stale' && freshness.state !== 'offline')) return;
		if (freshness.isReading || freshness.isFromLastSession || freshness.reason === told) return;
		told = freshness.reason;
		tell(freshness.reason);
	});
}
