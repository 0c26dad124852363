import type {Transition} from '../state/user-state.ts';

/** How the log of events is shown. */
export type EventsViewState = {
	/** The log of events shows what it held at this entry; undefined while it goes on. */
	readonly eventsPausedAt: number | undefined;
	/** Events are shown as they came, not read. */
	readonly eventsRaw: boolean;
};

export const initialEventsView: EventsViewState = {eventsPausedAt: undefined, eventsRaw: false};

/** Holds the log of events at an entry, or lets it go on. */
export function eventsPaused(eventsPausedAt: number | undefined): Transition<EventsViewState> {
	return state => ({...state, eventsPausedAt});
}

export function eventsShownRaw(eventsRaw: boolean): Transition<EventsViewState> {
	return state => ({...state, eventsRaw});
}
