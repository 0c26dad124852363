import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {episodePages} from '../../client/episode-pages.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {print} from '../../query/print.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import {findNearby} from '../episodes/selected-episode.ts';
import type {SortedReading} from '../episodes/sorted-reading.ts';
import {settled} from '../state/list-location.ts';
import {isSameSort} from '../state/location.ts';
import type {Notify} from '../state/notices.ts';
import type {UndoSteps} from '../state/undo-steps.ts';
import type {Transition, UserState} from '../state/user-state.ts';
import {type Holding, holdingOf} from './holding.ts';
import {selectedPages} from './selected-pages.ts';
import {
	allMatching,
	asksForSame,
	isNothing,
	markOf,
	nothingSelected,
	type Picked,
	ranged,
	rowsOfRange,
	type Selection,
	type SelectionState,
	selected,
	taken,
} from './selection.ts';
import {type SelectionKnown, SelectionSummaryWatch} from './selection-summary.ts';

type Change = Transition<SelectionState>;

type ControllerOptions = {
	readonly state: StoreApi<UserState & SelectionState>;
	readonly window: EpisodeWindow;
	readonly client: Pick<Client, 'explore' | 'listDatasets'>;
	/** How the rows of the table are read. */
	readonly reading: Pick<SortedReading, 'asking'>;
	readonly queries: QueryClient;
	readonly undo: Pick<UndoSteps, 'push'>;
	readonly update: (change: Change) => void;
	readonly notify: Notify;
};

/** A range of more rows is not read for the sake of picking them one by one: `*` takes all without reading them. */
const mostInRange = 10_000;

/** Each episode that was picked is kept whole: these are some 50 MB. */
const mostPicked = 20_000;

/** The way to select more than that. */
const all = {action: 'selection.all', does: 'selects all that match; single ones can then be removed'};

/** The selection, and everything that changes it. */
export class SelectionController {
	/** Its counts. */
	readonly summary: StoreApi<SelectionKnown>;
	readonly #options: ControllerOptions;
	readonly #watch: SelectionSummaryWatch;
	readonly #stopped = new AbortController();
	#reading: AbortController | undefined;

	constructor(options: ControllerOptions) {
		this.#options = options;
		this.#watch = new SelectionSummaryWatch(options);
		this.summary = this.#watch.known;
		options.window.result.subscribe(({question, order}, before) => {
			if (question === before.question && isSameSort(order, before.order)) this.#followAnchor();
			else this.leaveRange();
		});
	}

	/** Takes the episode of a row in, or out; in a range, all of it. */
	async toggle(): Promise<void> {
		const {range, selection, position} = this.#state();
		if (range !== undefined) return this.takeRange();
		const {row, rowCount, question} = this.#result();
		const episode = row(settled(position, {count: rowCount, height: 1}).selected);
		if (typeof episode !== 'object') return;
		this.take([episode], !markOf(selection, question)(episode));
	}

	/** Takes episodes of the answer that shows in, or out. */
	take(episodes: readonly LakeEpisode[], isIn: boolean): void {
		const {selection} = this.#state();
		const {question} = this.#result();
		const next = taken(selection, episodes, isIn, question);
		if ((next.by === 'hand' ? next.picked : next.except).size > mostPicked) {
			this.#options.notify('warning', `At most ${mostPicked} episodes can be picked one by one.`, all);
			return;
		}
		if (isIn && selection.by === 'query' && next.by === 'hand') {
			this.#options.notify(
				'info',
				'This begins a new selection: the one before was all episodes of another filter.',
			);
		}
		if (next.by !== selection.by) this.#keepForUndo(selection);
		this.#options.update(selected(next));
	}

	/** Selects these episodes and no others. */
	replace(episodes: readonly LakeEpisode[]): void {
		const picked = new Map(episodes.map(episode => [episode.episode_id, episode]));
		this.#keepForUndo(this.#state().selection);
		this.#options.update(selected({by: 'hand', picked}));
	}

	/** Selects all that match the filter; where that is what is selected, nothing. */
	toggleAll(): void {
		const {selection, filter} = this.#state();
		const {question, isPrevious} = this.#result();
		// The filter of the state is ahead of an answer that has not come yet.
		if (isPrevious) return;
		const isAll =
			selection.by === 'query' && asksForSame(selection.question, question) && selection.except.size === 0;
		this.#keepForUndo(selection);
		this.#options.update(selected(isAll ? nothingSelected : allMatching({filter, question})));
	}

	/** Drops the selection. */
	drop(): void {
		const {selection} = this.#state();
		if (isNothing(selection)) return;
		this.#keepForUndo(selection);
		this.#options.update(selected(nothingSelected));
		this.#options.notify('info', 'The selection is dropped', {action: 'review.undo'});
	}

	/** Lets a dropped selection be brought back. */
	#keepForUndo(selection: Selection): void {
		if (isNothing(selection)) return;
		const what =
			selection.by === 'hand'
				? `${selection.picked.size} picked`
				: `all that match ${print({...selection.filter, descending: false}) || 'no filter'}`;
		this.#options.undo.push({
			takeBack: async () => {
				this.#options.update(selected(selection));
				return `Selected again: ${what}.`;
			},
		});
	}

	startRange(): void {
		const {position} = this.#state();
		const {row, rowCount} = this.#result();
		if (rowCount === 0) return;
		const anchor = settled(position, {count: rowCount, height: 1}).selected;
		const episode = row(anchor);
		const episodeId = typeof episode === 'object' ? episode.episode_id : undefined;
		this.#options.update(ranged({anchor, episodeId}));
	}

	leaveRange(): void {
		this.#reading?.abort();
		this.#options.update(ranged(undefined));
	}

	/** Takes the range in, or out where all of it is in. Rows that were not read are read first. */
	async takeRange(): Promise<void> {
		const {rowCount, question} = this.#result();
		const rows = rowsOfRange(this.#state(), rowCount);
		if (rows === undefined) return;
		const count = rows.to - rows.from + 1;
		if (count > mostInRange) {
			this.#options.notify('warning', `A range holds at most ${mostInRange} episodes.`, all);
			return;
		}
		const episodes = this.#known(rows) ?? (await this.#read(rows.from, count));
		// The range may have been left, or the filter changed, while it was read.
		if (episodes === undefined || !asksForSame(question, this.#result().question)) return;
		const isMarked = markOf(this.#state().selection, question);
		this.take(episodes, !episodes.every(isMarked));
	}

	/** The selection, as it was read last; all that match if nothing is selected, as far as that is known. */
	subject(): Selection {
		const {selection, filter} = this.#state();
		const {question} = this.#result();
		if (isNothing(selection)) return allMatching({filter, question});
		return selection.by === 'query' ? selection : {by: 'hand', picked: this.#latest(selection.picked)};
	}

	/** The episodes selected, page after page; a page may be empty where all of it is excepted. */
	async *pages(signal: AbortSignal): AsyncGenerator<readonly LakeEpisode[], void> {
		for await (const {episodes} of selectedPages(this.#options.client, this.subject(), signal))
			yield episodes;
	}

	/** Counts that, just now. */
	holding(signal: AbortSignal): Promise<Holding> {
		const {question, held} = this.#result();
		return holdingOf(this.#options.client, this.subject(), {question, held: held()}, signal);
	}

	stop(): void {
		this.#stopped.abort();
		this.#watch.stop();
	}

	#state(): UserState & SelectionState {
		return this.#options.state.getState();
	}

	#result() {
		return this.#options.window.result.getState();
	}

	/** The rows where all of them were read. */
	#known({from, to}: {from: number; to: number}): readonly LakeEpisode[] | undefined {
		const {row} = this.#result();
		const rows = Array.from({length: to - from + 1}, (_, place) => row(from + place));
		const isUnread = rows.some(each => each === 'loading' || each === 'failed');
		return isUnread ? undefined : rows.filter(each => typeof each === 'object');
	}

	async #read(offset: number, count: number): Promise<readonly LakeEpisode[] | undefined> {
		this.#reading?.abort();
		const reading = new AbortController();
		this.#reading = reading;
		const signal = AbortSignal.any([reading.signal, this.#stopped.signal]);
		const {question, order} = this.#result();
		const client = this.#options.reading.asking(order);
		const episodes: LakeEpisode[] = [];
		try {
			for await (const {data} of episodePages(client, question, {offset, count}, {signal})) {
				episodes.push(...data.episodes);
			}
			return signal.aborted ? undefined : episodes;
		} catch (error) {
			if (!signal.aborted) {
				const why = error instanceof Error ? error.message : String(error);
				this.#options.notify('error', `The range could not be read: ${why}`);
			}
			return undefined;
		}
	}

	/** Rows that came or went above it move the row that the range began at. */
	#followAnchor(): void {
		const {range} = this.#state();
		if (range?.episodeId === undefined) return;
		const anchor = findNearby(this.#result(), range.episodeId, range.anchor);
		if (anchor !== undefined && anchor !== range.anchor) this.#options.update(ranged({...range, anchor}));
	}

	/** The picked episodes, as they were read last. */
	#latest(picked: Picked): Picked {
		const latest = new Map(picked);
		for (const episode of this.#result().held()) {
			if (latest.has(episode.episode_id)) latest.set(episode.episode_id, episode);
		}
		return latest;
	}
}
