import {setFlagsFromString} from 'node:v8';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {type Clock, systemClock} from '../../client/clock.ts';
import {AccountEvents, type EventSource, type StreamState} from '../../client/events/account-events.ts';
import {type EventHint, namesSomething} from '../../client/events/event-hint.ts';
import {EventLog} from './event-log.ts';

/** How the stream of events is; `idle` before it was begun. */
export type LiveState = StreamState | {readonly phase: 'idle'};

type LiveListener = {
	/** Something changed: what it may be, by the ids that were told. */
	readonly hint: (hint: EventHint) => void;
	/** Events may be missing: lists are to be read again. @param isFirst the stream has only begun */
	readonly missed: (isFirst: boolean) => void;
};

/**
 * From so many events on V8 is told to keep its heap small. Every event is garbage a moment later, 15 KB of it, and V8
 * lets that grow to 350 MB beside 30 MB that are in use; told so, it stays at 130 MB.
 */
const manyEvents = 5000;

/** The account's one stream of events, as the store reads it: hints, gaps, how it is, and a log of what came. */
export class LiveStream {
	readonly state: StoreApi<LiveState> = createStore((): LiveState => ({phase: 'idle'}));
	readonly log: EventLog;
	readonly #events: AccountEvents;
	readonly #listener: LiveListener;
	readonly #over = new AbortController();
	#wasLive = false;
	#count = 0;

	constructor(source: EventSource, listener: LiveListener, clock: Clock = systemClock) {
		this.log = new EventLog(clock);
		this.#listener = listener;
		this.#events = new AccountEvents(
			source,
			{
				state: state => this.#enter(state),
				event: event => {
					if (++this.#count === manyEvents) setFlagsFromString('--memory-saver-mode');
					this.log.event(event);
					// The embedded service says with it that the stream has begun, which is known.
					if (event.name !== 'ready' || namesSomething(event.hint)) listener.hint(event.hint);
				},
				gap: () => {
					this.log.mark({what: 'missed', reason: 'events may be missing here; everything was fetched again'});
					listener.missed(false);
				},
			},
			{clock},
		);
	}

	/** Opens the stream and follows it until `stop`; again is no change. */
	start(): void {
		if (this.#over.signal.aborted || this.state.getState().phase !== 'idle') return;
		void this.#events.run(this.#over.signal);
	}

	/** Comes back at once, where it waits. */
	refetch(): void {
		this.#events.refetch();
	}

	stop(): void {
		this.#over.abort();
		this.log.stop();
	}

	#enter(state: StreamState): void {
		this.state.setState(state, true);
		if (state.phase === 'live') {
			this.log.mark({what: 'live', reason: this.#wasLive ? 'listening again' : 'listening'});
			// Events from before the stream was live do not come: everything is fetched once it is.
			if (!this.#wasLive) this.#listener.missed(true);
			this.#wasLive = true;
		}
		if (state.phase === 'waiting') this.log.mark({what: 'interrupted', reason: state.reason});
		if (state.phase === 'stopped') this.log.mark({what: 'none', reason: state.reason});
	}
}
