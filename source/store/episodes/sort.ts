import type {StoreApi} from 'zustand/vanilla';
import {type EpisodeSort, suspectTag} from '../../contract/local-explore.ts';
import {type Filter, noFilter} from '../../query/filter.ts';
import {filtered, ordered} from '../state/transitions.ts';
import type {Transition, UserState} from '../state/user-state.ts';
import type {SortedReading} from './sorted-reading.ts';

type OrderOptions = {
	readonly state: StoreApi<UserState>;
	readonly reading: Pick<SortedReading, 'canSort' | 'findOut'>;
	/** True if a filter finds episodes that are no copies. */
	readonly hasOriginals: (filter: Filter, signal: AbortSignal) => Promise<boolean>;
	readonly goTo: (filter: Filter, change?: Transition<UserState>) => void;
	readonly notify: (kind: 'info' | 'error', text: string) => void;
};

/** In which order the episodes are listed. */
export class SortController {
	readonly #options: OrderOptions;
	readonly #stopped = new AbortController();
	/** The filter that triage began with. */
	#before: Filter = noFilter;

	constructor(options: OrderOptions) {
		this.#options = options;
	}

	/** True if the suspects are listed, worst first; if the service knows no suspects, true if the worst come first. */
	get isTriage(): boolean {
		const {state, reading} = this.#options;
		const {sort, filter} = state.getState();
		if (sort?.by !== worstFirst.by) return false;
		return reading.canSort === false || filter.tags.includes(suspectTag);
	}

	/** Lists the suspects alone, the worst first, or goes back to what was listed before. */
	toggleTriage(): void {
		void (this.isTriage ? this.#leaveTriage() : this.#triage());
	}

	async #triage(): Promise<void> {
		const {state, reading, hasOriginals, goTo, notify} = this.#options;
		const {signal} = this.#stopped;
		try {
			if (!(await reading.findOut(signal))) return this.by(worstFirst);
			const {filter} = state.getState();
			const isOfOriginals = await hasOriginals(filter, signal);
			// Another filter may have been applied while that was asked for.
			if (signal.aborted || state.getState().filter !== filter) return;
			this.#before = filter;
			const suspects = suspectsOf(filter, {isOfOriginals});
			goTo(suspects, before => ordered(worstFirst)(filtered(suspects)(before)));
		} catch (error) {
			if (!signal.aborted) notify('error', error instanceof Error ? error.message : String(error));
		}
	}

	async #leaveTriage(): Promise<void> {
		const {state, reading, goTo} = this.#options;
		if (reading.canSort === false) return this.by(undefined);
		const all = withoutSuspectTerms(state.getState().filter, this.#before);
		this.#before = noFilter;
		goTo(all, before => ordered(undefined)(filtered(all)(before)));
	}

	/** Turns the order round, whichever it is. */
	turn(): void {
		const {sort, filter} = this.#options.state.getState();
		if (sort === undefined) this.#options.goTo({...filter, descending: !filter.descending});
		else void this.by({...sort, direction: sort.direction === 'asc' ? 'desc' : 'asc'});
	}

	/** Lists episodes by a figure; without one in the order of the service. */
	async by(sort: EpisodeSort | undefined): Promise<void> {
		const {reading, state, goTo, notify} = this.#options;
		try {
			if (sort !== undefined && reading.canSort === undefined) await reading.findOut(this.#stopped.signal);
		} catch (error) {
			if (this.#stopped.signal.aborted) return;
			notify('error', error instanceof Error ? error.message : String(error));
			return;
		}
		if (this.#stopped.signal.aborted) return;
		goTo(state.getState().filter, ordered(sort));
		if (sort !== undefined && reading.canSort === false) {
			notify('info', 'This service cannot sort by figures: only the episodes read so far are sorted.');
		}
	}

	stop(): void {
		this.#stopped.abort();
	}
}

/** Most unlike its siblings first. */
export const worstFirst: EpisodeSort = {by: 'doubt', direction: 'desc'};

/** The suspects of a filter; a copy of a suspect is none of its own, unless the filter asks for copies. */
export function suspectsOf(filter: Filter, {isOfOriginals}: {readonly isOfOriginals: boolean}): Filter {
	const {tags, lineage, parent} = filter;
	return {
		...filter,
		tags: tags.includes(suspectTag) ? tags : [...tags, suspectTag],
		...(isOfOriginals && lineage === undefined && parent === undefined && {lineage: 'originals'}),
	};
}

/** A filter without the terms that {@link suspectsOf} added to `before`. */
function withoutSuspectTerms(filter: Filter, before: Filter): Filter {
	return {
		...filter,
		tags: before.tags.includes(suspectTag) ? filter.tags : filter.tags.filter(tag => tag !== suspectTag),
		lineage: before.lineage === undefined && filter.lineage === 'originals' ? undefined : filter.lineage,
	};
}
