import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Filter} from '../../query/filter.ts';
import {type ListExtent, type ListPosition, listStart, settled} from './list-location.ts';
import type {Notice} from './notices.ts';
import type {Editing, Overlay, Transition as TransitionOf, UserState} from './user-state.ts';

/** How the explorer's state becomes another: pure functions, one a thing that can happen. */
type Transition = TransitionOf<UserState>;

type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

/** Another filter is another list: it begins at its beginning, and what was said of the one before is over. */
export function filtered(filter: Filter): Transition {
	return state =>
		state.filter === filter
			? state
			: {
					...state,
					filter,
					position: listStart,
					detailOffset: 0,
					notices: [],
				};
}

/** Another order is another list as well, of the same episodes. */
export function ordered(sort: EpisodeSort | undefined): Transition {
	return state => ({...state, sort, position: listStart, detailOffset: 0});
}

/** Moves through the result; another episode's detail begins at its beginning. */
export function moved(step: (position: ListPosition) => ListPosition): Transition {
	return state => {
		const position = step(state.position);
		if (position.selected === state.position.selected && position.offset === state.position.offset) {
			return state;
		}
		const isSame = position.selected === state.position.selected;
		return {...state, position, detailOffset: isSame ? state.detailOffset : 0};
	};
}

/** Scrolls the detail, which has no selected line: the first line shown is all there is. */
export function detailScrolled(step: Step, {count, height}: ListExtent): Transition {
	// The last line that can stand at the top.
	const extent = {count: Math.max(1, count - height + 1), height: 1};
	return state => {
		// A page is what shows, not the one line of the extent.
		const paged = step(
			{selected: state.detailOffset, offset: state.detailOffset},
			{count: Number.MAX_SAFE_INTEGER, height},
		);
		const {selected} = settled({selected: paged.selected, offset: 0}, extent);
		return selected === state.detailOffset ? state : {...state, detailOffset: selected};
	};
}

export function overlaid(overlay: Overlay | undefined): Transition {
	return state => (state.overlay === overlay ? state : {...state, overlay});
}

export function edited(editing: Editing | undefined): Transition {
	return state => (state.editing === editing ? state : {...state, editing});
}

export function zoomed(isZoomed: boolean): Transition {
	return state => ({...state, zoomed: isZoomed});
}

/** Changes which sentences show. */
export function noticesChanged(change: (notices: readonly Notice[]) => readonly Notice[]): Transition {
	return state => {
		const notices = change(state.notices);
		return notices === state.notices ? state : {...state, notices};
	};
}
