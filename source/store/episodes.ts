import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {Filter} from '../query/filter.ts';
import {toExploreRequest} from '../query/request.ts';
import {DatasetNames} from './dataset-names.ts';
import {EpisodeQuestions} from './episode-questions.ts';
import {EpisodeWindow} from './episode-window.ts';
import type {ExplorerState, Question} from './explorer-state.ts';
import {FilterDesk} from './filter-desk.ts';
import type {LocalWatch} from './local-watch.ts';
import type {Tell} from './notices/notice.ts';
import {OrderDesk} from './order/order-desk.ts';
import {SortedReading} from './order/sorted-reading.ts';
import {calmPaceMs} from './polling.ts';
import {ReviewDesk} from './reviews/review-desk.ts';
import {SelectedEpisode} from './selected-episode.ts';
import {SelectionDesk} from './selection/selection-desk.ts';
import {UndoSteps} from './undo-steps.ts';

type Change = (state: ExplorerState) => ExplorerState;

type EpisodesOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
	readonly local: LocalWatch;
	/** Which lake it is, from one run to the next. */
	readonly lake: string;
	/** The service is the embedded one of this program. */
	readonly isOwn: boolean;
	readonly mayChange: () => boolean;
	readonly ask: (question: Question) => void;
	readonly update: (change: Change) => void;
	readonly tell: Tell;
};

/** The lake's episodes as the table has them: filtered, ordered, one of them at the cursor, some selected or judged. */
export class Episodes {
	readonly window: EpisodeWindow;
	readonly names: DatasetNames;
	readonly questions: EpisodeQuestions;
	readonly order: OrderDesk;
	readonly selection: SelectionDesk;
	readonly reviews: ReviewDesk;
	readonly undo: UndoSteps;
	readonly selected: SelectedEpisode;
	readonly #filters: FilterDesk;

	constructor(options: EpisodesOptions) {
		const {queries, client, state, local, isOwn, update, tell} = options;
		const begun = state.getState();
		const names = new DatasetNames(client);
		this.names = names;
		const known = toExploreRequest(begun.filter, names.idOf);
		const can: LocalWatch['can'] = (ability, signal) => local.can(ability, signal);
		const reading = new SortedReading({
			client,
			can,
			countsTags: () => isOwn || (local.known.getState().document?.abilities.includes('explore') ?? false),
			learn: episodes => names.learn(episodes),
		});
		const {read} = reading;
		this.undo = new UndoSteps({
			settled: () => this.reviews.settled(),
			isBusy: () => this.reviews.isBusy,
			tell,
		});
		const {undo} = this;
		this.reviews = new ReviewDesk({
			state,
			client,
			window: () => this.window,
			selection: () => this.selection,
			undo: () => undo,
			current: () => this.selected.get(),
			can,
			lake: options.lake,
			mayChange: options.mayChange,
			ask: options.ask,
			tell,
		});
		this.window = new EpisodeWindow({
			client: queries,
			question: known.ok ? known.request : {},
			sort: begun.sort,
			first: begun.position.offset,
			paceMs: calmPaceMs,
			read,
			canSort: () => reading.canSort,
			covered: episode => this.reviews.shown(episode),
		});
		const {window} = this;
		const goTo = (filter: Filter, change?: Change) => this.filterBy(filter, change);
		this.questions = new EpisodeQuestions({
			queries,
			client,
			state,
			window,
			local,
			names,
			read,
			filterBy: goTo,
		});
		const {evidence, filterLine} = this.questions;
		const hasOriginals = async (filter: Filter, signal: AbortSignal) => {
			const asked = toExploreRequest({...filter, lineage: 'originals'}, names.idOf);
			if (!asked.ok) return true;
			return Number((await client.explore({...asked.request, limit: 1}, {signal})).data.total) > 0;
		};
		this.order = new OrderDesk({state, reading, goTo, hasOriginals, tell});
		this.selection = new SelectionDesk({state, window, client, reading, queries, undo, update, tell});
		this.selected = new SelectedEpisode({state, window, evidence, update});
		const {selected} = this;
		this.#filters = new FilterDesk({state, window, filterLine, names, selected, update, tell});
		if (!known.ok) this.filterBy(begun.filter);
	}

	/** Filters the lake; a dataset's name that was not seen yet is looked for first. */
	filterBy(filter: Filter, change?: Change): void {
		this.#filters.ask(filter, change);
	}

	stop(): void {
		this.#filters.stop();
		this.questions.stop();
		this.order.stop();
		this.reviews.stop();
		this.selection.stop();
		this.window.stop();
	}
}
