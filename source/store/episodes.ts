import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import {type Filter, toExploreRequest} from '../query/filter.ts';
import {DatasetNames} from './episodes/dataset-names.ts';
import {EpisodeWindow} from './episodes/episode-window.ts';
import {EvidenceWatch} from './episodes/evidence-watch.ts';
import {SelectedEpisode} from './episodes/selected-episode.ts';
import {SortController} from './episodes/sort.ts';
import {SortedReading} from './episodes/sorted-reading.ts';
import type {ExplorerState} from './explorer-state.ts';
import {Explanation} from './filter/explain-empty.ts';
import {FilterController} from './filter/filter-controller.ts';
import {FilterLine} from './filter/filter-line.ts';
import {PictureWatch} from './pictures/picture-watch.ts';
import type {Result} from './queries/explore-result.ts';
import type {Freshness} from './queries/freshness.ts';
import type {LocalWatch} from './queries/local-document.ts';
import {calmPaceMs} from './queries/polling.ts';
import {ReviewController} from './reviews/review-controller.ts';
import {SelectionController} from './selection/selection-controller.ts';
import {Plots} from './series/plots.ts';
import type {Notify} from './state/notices.ts';
import {UndoSteps} from './state/undo-steps.ts';
import type {Confirmation} from './state/user-state.ts';

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
	readonly ask: (question: Confirmation) => void;
	readonly update: (change: Change) => void;
	readonly notify: Notify;
};

/** The lake's episodes as the table has them: filtered, ordered, one of them at the cursor, some selected or judged. */
export class Episodes {
	readonly window: EpisodeWindow;
	readonly names: DatasetNames;
	readonly questions: EpisodeQuestions;
	readonly sort: SortController;
	readonly selection: SelectionController;
	readonly reviews: ReviewController;
	readonly undo: UndoSteps;
	readonly selected: SelectedEpisode;
	readonly #filters: FilterController<ExplorerState>;

	constructor(options: EpisodesOptions) {
		const {queries, client, state, local, isOwn, update, notify} = options;
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
			notify,
		});
		const {undo} = this;
		this.reviews = new ReviewController({
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
			notify,
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
		this.sort = new SortController({state, reading, goTo, hasOriginals, notify});
		this.selection = new SelectionController({state, window, client, reading, queries, undo, update, notify});
		this.selected = new SelectedEpisode({state, window, evidence, update});
		const {selected} = this;
		this.#filters = new FilterController({state, window, filterLine, names, selected, update, notify});
		notifyTrouble(window.result, reason => notify('warning', reason));
		if (!known.ok) this.filterBy(begun.filter);
	}

	/** Filters the lake; a dataset's name that was not seen yet is looked for first. */
	filterBy(filter: Filter, change?: Change): void {
		this.#filters.ask(filter, change);
	}

	/** Settles when the service has given the first page, or has failed to. */
	answered(): Promise<void> {
		return answered(this.window.result);
	}

	/** Fetches what shows of them again. @returns how fresh it was */
	refetch(): Freshness {
		const {freshness} = this.window.result.getState();
		this.window.refetch();
		this.questions.plots.series.refetch();
		return freshness;
	}

	stop(): void {
		this.#filters.stop();
		this.questions.stop();
		this.sort.stop();
		this.reviews.stop();
		this.selection.stop();
		this.window.stop();
	}
}

type EpisodeQuestionsOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly names: DatasetNames;
	readonly read: SortedReading['read'];
	readonly filterBy: (filter: Filter) => void;
};

/** The queries about episodes besides the rows of the table. */
class EpisodeQuestions {
	readonly evidence: EvidenceWatch;
	readonly plots: Plots;
	readonly pictures: PictureWatch;
	readonly explanation: Explanation;
	readonly filterLine: FilterLine;

	constructor({queries, client, state, window, local, names, read, filterBy}: EpisodeQuestionsOptions) {
		const asking = {
			queries,
			client,
			abilities: () => local.known.getState().document?.abilities ?? [],
			filter: () => state.getState().filter,
		};
		this.evidence = new EvidenceWatch(queries, client);
		this.pictures = new PictureWatch(asking);
		this.plots = new Plots({...asking, result: () => window.result.getState()});
		this.explanation = new Explanation({...asking, idOf: names.idOf, result: window.result});
		this.filterLine = new FilterLine({...asking, names, read, window, apply: filterBy});
	}

	stop(): void {
		this.evidence.stop();
		this.plots.stop();
		this.pictures.close();
		this.filterLine.close();
		this.explanation.stop();
	}
}

/** Settles when the service has given the first page of a result, or has failed to. */
function answered(result: StoreApi<Result>): Promise<void> {
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

/** Reports why the rows on the screen are not fresh; the same reason once, until all is well again. */
function notifyTrouble(result: StoreApi<Result>, notify: (reason: string) => void): void {
	let told: string | undefined;
	result.subscribe(({freshness, rowCount}) => {
		if (freshness.state === 'fresh') told = undefined;
		if (rowCount === 0 || (freshness.state !== 'stale' && freshness.state !== 'offline')) return;
		if (freshness.isReading || freshness.isFromLastSession || freshness.reason === told) return;
		told = freshness.reason;
		notify(freshness.reason);
	});
}
