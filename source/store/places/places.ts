import type {StoreApi} from 'zustand/vanilla';
import type {Filter} from '../../query/filter.ts';
import type {ExplorerState, Place, ViewId} from '../explorer-state.ts';
import {listStart} from '../list-position.ts';
import {type Direction, placeTowards, stepped} from './history.ts';
import {atPlace, isSameFilter, placeOf} from './place.ts';

/** Asks for the result of a filter and, once its datasets are known, changes the state to be at it. */
type GoTo = (filter: Filter, change: (state: ExplorerState) => ExplorerState) => void;

/** The one history of places: to go somewhere, back and forward. Steps are noted by whatever changes the state. */
export class Places {
	readonly #state: StoreApi<ExplorerState>;
	readonly #goTo: GoTo;

	constructor(state: StoreApi<ExplorerState>, goTo: GoTo) {
		this.#state = state;
		this.#goTo = goTo;
	}

	/** Where the reader is. */
	here(): Place {
		return placeOf(this.#state.getState());
	}

	/** Goes somewhere, which is a step; what is not said of the place stays as it is here. */
	go(place: Partial<Place>): void {
		const here = this.here();
		const {filter = here.filter, view = here.view, sort = here.sort, opened} = place;
		const isHere = isSameFilter(filter, here.filter);
		const position = place.position ?? (isHere ? here.position : listStart);
		this.#goTo(filter, atPlace({view, filter, sort, position, opened}));
	}

	/** Goes one step back. @returns where to; nothing where there is no way. */
	back(): Place | undefined {
		return this.#step('back');
	}

	/** Goes one step forward again. @returns where to; nothing where there is no way. */
	forward(): Place | undefined {
		return this.#step('forward');
	}

	/** The view that this one was come to from; undefined where the last step led from one place to another of it. */
	comesFrom(): ViewId | undefined {
		const before = placeTowards(this.#state.getState(), 'back');
		return before === undefined || before.view === this.here().view ? undefined : before.view;
	}

	can(direction: Direction): boolean {
		return placeTowards(this.#state.getState(), direction) !== undefined;
	}

	#step(direction: Direction): Place | undefined {
		const place = placeTowards(this.#state.getState(), direction);
		if (place !== undefined) this.#goTo(place.filter, stepped(direction, place));
		return place;
	}
}
