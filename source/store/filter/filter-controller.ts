import type {StoreApi} from 'zustand/vanilla';
import {type Filter, noFilter, toExploreRequest} from '../../query/filter.ts';
import type {DatasetNames} from '../episodes/dataset-names.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import type {SelectedEpisode} from '../episodes/selected-episode.ts';
import {edited, filtered} from '../state/transitions.ts';
import type {UserState} from '../state/user-state.ts';
import type {FilterLine} from './filter-line.ts';

type FilterControllerOptions<State> = {
	readonly names: DatasetNames;
	readonly state: StoreApi<UserState>;
	readonly window: Pick<EpisodeWindow, 'ask'>;
	readonly filterLine: Pick<FilterLine, 'reopen'>;
	readonly selected: Pick<SelectedEpisode, 'forget'>;
	readonly update: (change: (state: State) => State) => void;
	readonly notify: (kind: 'error', text: string) => void;
};

/** Asks for what a filter says; a dataset's name that was not seen yet is looked for first. */
export class FilterController<State extends UserState> {
	readonly #options: FilterControllerOptions<State>;
	#looking: AbortController | undefined;

	constructor(options: FilterControllerOptions<State>) {
		this.#options = options;
	}

	/** @param change what then becomes of the state; the filter must be in it */
	ask(filter: Filter, change: (state: State) => State = filtered(filter)): void {
		this.#looking?.abort();
		const known = toExploreRequest(filter, this.#options.names.idOf);
		if (known.ok) this.#show(known.request, change);
		else void this.#look(filter, change);
	}

	stop(): void {
		this.#looking?.abort();
	}

	#show(question: Parameters<EpisodeWindow['ask']>[0], change: (state: State) => State): void {
		const {state, window, selected, update} = this.#options;
		selected.forget();
		update(change);
		const {position, sort} = state.getState();
		window.ask(question, position.offset, sort);
	}

	async #look(filter: Filter, change: (state: State) => State): Promise<void> {
		const {names, state, filterLine, update, notify} = this.#options;
		const looking = new AbortController();
		this.#looking = looking;
		try {
			const known = await names.request(filter, looking.signal);
			if (looking.signal.aborted) return;
			if (known.ok) {
				this.#show(known.request, change);
				return;
			}
			// A filter that the explorer was opened with and cannot ask for does not stay on the screen.
			if (state.getState().filter === filter) update(filtered(noFilter));
			filterLine.reopen(filter, known.unknownDatasets);
			update(edited('filter'));
		} catch (error) {
			if (!looking.signal.aborted) notify('error', error instanceof Error ? error.message : String(error));
		}
	}
}
