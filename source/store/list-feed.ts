import type {StoreApi} from 'zustand/vanilla';
import type {Freshness} from './freshness.ts';

/** What a list is read from: while its view shows, and again when asked to. */
export type ListFeed = {
	readonly known: Pick<
		StoreApi<{readonly freshness: Freshness | undefined}>,
		'getState' | 'getInitialState' | 'subscribe'
	>;
	show(isShown: boolean): void;
	readAgain(): void;
};
