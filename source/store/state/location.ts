import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Filter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {filtered} from './transitions.ts';
import type {Location, Transition, UserState} from './user-state.ts';

export function locationOf({view, filter, sort, position, lists}: UserState): Location {
	const list = view === 'explore' ? undefined : lists[view];
	const opened = list?.opened ? list.cursor : undefined;
	return {view, filter, sort, position, opened, terms: list?.terms};
}

export function isSameFilter(a: Filter, b: Filter): boolean {
	return a === b || print(a) === print(b);
}

export function isSameSort(a: EpisodeSort | undefined, b: EpisodeSort | undefined): boolean {
	return a?.by === b?.by && a?.direction === b?.direction;
}

/** True if going from one to the other would show nothing else, apart from the position in the result. */
export function isSameLocation(a: Location, b: Location): boolean {
	if (a.view !== b.view || a.opened !== b.opened || !isSameSort(a.sort, b.sort)) return false;
	return isSameTerms(a, b) && isSameFilter(a.filter, b.filter);
}

/** True if two locations ask the service for the same rows of a list. */
export function isSameTerms({terms: a = {}}: Location, {terms: b = {}}: Location): boolean {
	const names = new Set([...Object.keys(a), ...Object.keys(b)]);
	return a === b || [...names].every(name => a[name] === b[name]);
}

/** The pane of a place that has the keyboard first. */
export function paneOfLocation({view, opened}: Pick<Location, 'view' | 'opened'>): string {
	if (view === 'explore') return 'episodes';
	return opened === undefined ? view : `${view}-detail`;
}

/** The state at a place: its view, its filter and what is opened there. */
export function atLocation({view, filter, sort, position, opened, terms}: Location): Transition<UserState> {
	return before => {
		const asked = isSameFilter(before.filter, filter) ? before : filtered(filter)(before);
		const state = {...asked, view, sort, position, detailOffset: 0};
		if (view === 'explore') return state;
		const list = state.lists[view];
		const cursor = opened ?? list.cursor;
		return {
			...state,
			lists: {
				...state.lists,
				[view]: {...list, cursor, opened: opened !== undefined, scroll: 0, terms: terms ?? list.terms},
			},
		};
	};
}
