import {hashKey} from '@tanstack/query-core';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {Filter} from '../../query/filter.ts';
import type {Question} from '../queries/explore-result.ts';
import {settled} from '../state/list-location.ts';
import type {Transition, UserState} from '../state/user-state.ts';

/** Episodes by their ids, as they were when they were picked. */
export type Picked = ReadonlyMap<string, LakeEpisode>;

/** Everything that matches, told by what was asked. */
type Matching = {readonly filter: Filter; readonly question: Question};

/**
 * The selection: episodes one by one, from whatever filters they were found by; or all that match one filter, read or
 * not, but for exceptions.
 *
 * Another filter does not change it. What was picked by hand stays picked, and all that match a filter stay those of
 * that filter: it is marked where that filter shows, and handed over as it is wherever one is.
 */
export type Selection =
	| {readonly by: 'hand'; readonly picked: Picked}
	| (Matching & {readonly by: 'query'; readonly except: Picked});

export const nothingSelected: Selection = {by: 'hand', picked: new Map()};

export function isNothing(selection: Selection): boolean {
	return selection.by === 'hand' && selection.picked.size === 0;
}

/** True if two questions have the same episodes in their answers, whatever the order. */
export function asksForSame(a: Question, b: Question): boolean {
	return a === b || hashKey([{...a, order_desc: false}]) === hashKey([{...b, order_desc: false}]);
}

/** Tells which episodes of the answer to a question are selected. */
export function markOf(selection: Selection, shown: Question): (episode: LakeEpisode) => boolean {
	if (selection.by === 'hand') return ({episode_id}) => selection.picked.has(episode_id);
	const {except} = selection;
	return asksForSame(selection.question, shown) ? ({episode_id}) => !except.has(episode_id) : () => false;
}

/**
 * Takes episodes of the answer to a question into the selection, or out of it.
 *
 * Into a selection by another question nothing can be taken, as that has one question: what is taken begins another one.
 */
export function taken(
	selection: Selection,
	episodes: readonly LakeEpisode[],
	isIn: boolean,
	shown: Question,
): Selection {
	if (selection.by === 'hand') return {by: 'hand', picked: changed(selection.picked, episodes, isIn)};
	if (asksForSame(selection.question, shown)) {
		return {...selection, except: changed(selection.except, episodes, !isIn)};
	}
	return isIn ? {by: 'hand', picked: changed(new Map(), episodes, true)} : selection;
}

function changed(picked: Picked, episodes: readonly LakeEpisode[], isIn: boolean): Picked {
	const next = new Map(picked);
	for (const episode of episodes) {
		if (isIn) next.set(episode.episode_id, episode);
		else next.delete(episode.episode_id);
	}
	return next;
}

/** All that match. */
export function allMatching({filter, question}: Matching): Selection {
	return {by: 'query', filter, question, except: new Map()};
}

/** In the order of datasets and indices, whenever each was picked. */
export function pickedInOrder(picked: Picked): readonly LakeEpisode[] {
	return [...picked.values()].sort(
		(a, b) =>
			compare(a.dataset_name, b.dataset_name) ||
			compare(a.dataset_id, b.dataset_id) ||
			a.episode_index - b.episode_index,
	);
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Rows from where a range was begun to the cursor, wherever that goes. */
export type Range = {
	/** The row that it was begun at, and the episode there; rows that come above move both. */
	readonly anchor: number;
	readonly episodeId: string | undefined;
};

/** The part of the explorer's state that belongs to the selection. */
export type SelectionState = {
	readonly selection: Selection;
	/** Rows that are being marked, until they are added to the selection. */
	readonly range: Range | undefined;
};

export function selected(selection: Selection): Transition<SelectionState> {
	return state => (state.selection === selection ? state : {...state, selection, range: undefined});
}

/** The rows of the open range, both included; undefined if none is open. */
export function rowsOfRange(
	{range, position}: Pick<SelectionState & UserState, 'range' | 'position'>,
	rowCount: number,
): {readonly from: number; readonly to: number} | undefined {
	if (range === undefined || rowCount === 0) return undefined;
	const {selected: row} = settled(position, {count: rowCount, height: 1});
	const anchor = Math.min(range.anchor, rowCount - 1);
	return {from: Math.min(anchor, row), to: Math.max(anchor, row)};
}

/** Begins a range, moves where it began, or leaves it. */
export function ranged(range: Range | undefined): Transition<SelectionState> {
	return state => (state.range === range ? state : {...state, range});
}
