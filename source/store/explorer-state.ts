import type {Filter} from '../query/filter.ts';
import {type EventsViewState, initialEventsView} from './activity/events-view.ts';
import type {TableColumnsState} from './episodes/table-columns.ts';
import {type FacetsState, initialFacets} from './facets/facets-state.ts';
import type {PredicateRowsState} from './filter/predicate-row.ts';
import type {JobsListState} from './jobs/job-faults.ts';
import {nothingSelected, type SelectionState} from './selection/selection.ts';
import {initialUserState, type UserState} from './state/user-state.ts';

/** All of the explorer's own state: where the user is, and the part of each feature. The service's data is elsewhere. */
export type ExplorerState = UserState &
	FacetsState &
	TableColumnsState &
	PredicateRowsState &
	SelectionState &
	JobsListState &
	EventsViewState;

export function initialState(filter: Filter, columns: readonly string[] | undefined): ExplorerState {
	return {
		...initialUserState(filter),
		...initialFacets,
		columns,
		columnShift: 0,
		keptRows: [],
		selection: nothingSelected,
		range: undefined,
		jobsFaultsOnly: false,
		...initialEventsView,
	};
}
