import type {StoreApi} from 'zustand/vanilla';
import type {Result} from './result.ts';

/** Settles when the service has given the first page of a result, or has failed to. */
export function answered(result: StoreApi<Result>): Promise<void> {
	return new Promise(resolve => {
		const look = () => {
			if (result.getState().freshness.state === 'loading') return;
			stop();
			resolve();
		};
		const stop = result.subscribe(look);
		look();
	});
}
