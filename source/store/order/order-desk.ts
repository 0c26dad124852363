import type {StoreApi} from 'zustand/vanilla';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Filter} from '../../query/filter.ts';
import type {ExplorerState} from '../explorer-state.ts';
import {ordered} from '../transitions.ts';
import type {SortedReading} from './sorted-reading.ts';
import {worstFirst} from './worst-first.ts';

type OrderOptions = {
	readonly state: StoreApi<ExplorerState>;
	readonly reading: Pick<SortedReading, 'canSort' | 'findOut'>;
	readonly goTo: (filter: Filter, change?: (state: ExplorerState) => ExplorerState) => void;
	readonly tell: (kind: 'info' | 'error', text: string) => void;
};

/** In which order the episodes are listed. */
export class OrderDesk {
	readonly #options: OrderOptions;
	readonly #stopped = new AbortController();

	constructor(options: OrderOptions) {
		this.#options = options;
	}

	/** Whether the worst come first. */
	get isTriage(): boolean {
		return this.#options.state.getState().sort?.by === 'doubt';
	}

	/** Lists the worst first, or goes back to the order of the service. */
	toggleTriage(): void {
		void this.by(this.isTriage ? undefined : worstFirst);
	}

	/** Turns the order round, whichever it is. */
	turn(): void {
		const {sort, filter} = this.#options.state.getState();
		if (sort === undefined) this.#options.goTo({...filter, descending: !filter.descending});
		else void this.by({...sort, direction: sort.direction === 'asc' ? 'desc' : 'asc'});
	}

	/** Lists episodes by a figure; without one in the order of the service. */
	async by(sort: EpisodeSort | undefined): Promise<void> {
		const {reading, state, goTo, tell} = this.#options;
		try {
			if (sort !== undefined && reading.canSort === undefined) await reading.findOut(this.#stopped.signal);
		} catch (error) {
			if (this.#stopped.signal.aborted) return;
			tell('error', error instanceof Error ? error.message : String(error));
			return;
		}
		if (this.#stopped.signal.aborted) return;
		goTo(state.getState().filter, ordered(sort));
		if (sort !== undefined && reading.canSort === false) {
			tell('info', 'This service has no order by figures: only the episodes that were read are put into it.');
		}
	}

	stop(): void {
		this.#stopped.abort();
	}
}
