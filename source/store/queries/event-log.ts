import {createStore, type StoreApi} from 'zustand/vanilla';
import {type Clock, systemClock} from '../../client/clock.ts';
import type {AccountEvent} from '../../client/events/account-events.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import {isId, type Link} from './link.ts';

/** Where something stands in the log: an event, or what became of the stream. */
export type LogEntry =
	| {readonly kind: 'event'; readonly number: number; readonly at: number; readonly event: LoggedEvent}
	| {readonly kind: 'mark'; readonly number: number; readonly at: number; readonly mark: StreamMark};

export type LoggedEvent = {
	readonly name: string;
	readonly id: string | undefined;
	/** The data, cut where it is very long. */
	readonly data: string;
	/** Characters that were cut off. */
	readonly cut: number;
	/** The name of its subject. */
	readonly called: string | undefined;
	/** Its links, in the order job, upload, dataset. */
	readonly links: readonly Link[];
	/** Other ids that it names. */
	readonly others: readonly string[];
	readonly state: string | undefined;
};

/** A change of the stream: it began, broke or came back, and perhaps something was missed meanwhile. */
export type StreamMark = {readonly what: 'live' | 'interrupted' | 'missed' | 'none'; readonly reason: string};

export type EventLogState = {
	/** Oldest first. */
	readonly entries: readonly LogEntry[];
	/** How many went because there were too many. */
	readonly dropped: number;
};

/** Bounds of the log: entries, characters of one, characters of all. */
export const logBounds = {entries: 2000, dataChars: 16_384, allChars: 4_000_000} as const;

/** Things of one event that are named. */
const mostNamed = 8;

/** A storm of events is drawn this often. */
const publishMs = 100;

/** Characters kept of an event's name, of its id, and of an id that it names. */
const nameChars = 1024;

function sizeOf(entry: LogEntry): number {
	if (entry.kind === 'mark') return entry.mark.reason.length + 100;
	const {name, id = '', data, links, others} = entry.event;
	const named = [...links.map(link => link.id), ...others];
	return named.reduce((sum, each) => sum + each.length, name.length + id.length + data.length + 200);
}

/** A text of its own: a part of another one keeps all of that in memory. */
const copied = (text: string, chars: number) => Buffer.from(text.slice(0, chars)).toString();

function logged({name, id, data, hint}: AccountEvent): LoggedEvent {
	const kept = copied(data, logBounds.dataChars);
	const {jobs, operations, uploads, datasets, repos, others} = hint;
	const linksTo = (kind: Link['kind'], ids: readonly string[]) =>
		ids.filter(isId).map((each): Link => ({kind, id: each}));
	return {
		name: copied(name, nameChars),
		id: id === undefined ? undefined : copied(id, nameChars),
		data: kept,
		cut: Math.max(0, data.length - logBounds.dataChars),
		called: nameInEvent(hint),
		links: [...linksTo('job', jobs), ...linksTo('upload', operations), ...linksTo('dataset', datasets)].slice(
			0,
			mostNamed,
		),
		others: [...uploads, ...repos, ...others].slice(0, mostNamed),
		state: [hint.status, hint.phase].filter(Boolean).join(' · ') || undefined,
	};
}

/** The events that came over the stream, bounded in memory. */
export class EventLog {
	readonly known: StoreApi<EventLogState> = createStore(() => ({entries: [], dropped: 0}));
	readonly #clock: Clock;
	#held: LogEntry[] = [];
	#size = 0;
	#dropped = 0;
	#number = 0;
	#callOff: (() => void) | undefined;

	constructor(clock: Clock = systemClock) {
		this.#clock = clock;
	}

	event(event: AccountEvent): void {
		this.#hold({kind: 'event', number: ++this.#number, at: event.receivedAt, event: logged(event)});
	}

	/** Says what became of the stream; the same again says nothing. */
	mark(mark: StreamMark): void {
		const last = this.#held.at(-1);
		if (last?.kind === 'mark' && last.mark.what === mark.what && last.mark.reason === mark.reason) return;
		this.#hold({kind: 'mark', number: ++this.#number, at: this.#clock.now(), mark});
	}

	/** Empties it. */
	clear(): void {
		this.#held = [];
		this.#size = 0;
		this.#dropped = 0;
		this.#publish();
	}

	stop(): void {
		this.#callOff?.();
		this.#callOff = undefined;
	}

	#hold(entry: LogEntry): void {
		this.#held.push(entry);
		this.#size += sizeOf(entry);
		let over = 0;
		while (
			this.#held.length - over > 1 &&
			(this.#held.length - over > logBounds.entries || this.#size > logBounds.allChars)
		) {
			const oldest = this.#held[over++];
			if (oldest !== undefined) this.#size -= sizeOf(oldest);
		}
		if (over > 0) this.#held.splice(0, over);
		this.#dropped += over;
		this.#callOff ??= this.#clock.after(publishMs, () => this.#publish());
	}

	#publish(): void {
		this.#callOff?.();
		this.#callOff = undefined;
		this.known.setState({entries: [...this.#held], dropped: this.#dropped});
	}
}

const longest = 256;

/** The name of an event's subject, if a field holds one. */
export function nameInEvent({payload}: EventHint): string | undefined {
	if (typeof payload !== 'object' || payload === null) return undefined;
	const {dataset_name, job_name, name} = payload as Readonly<Record<string, unknown>>;
	const found = [dataset_name, job_name, name].find(
		(each): each is string => typeof each === 'string' && each !== '',
	);
	// A part of a text keeps all of it in memory; this is a text of its own.
	return found === undefined ? undefined : Buffer.from(found.slice(0, longest)).toString();
}

type Show = {
	/** Entries that hold this text, whatever its case; all where it is empty. */
	readonly search: string;
	/** No entry after this one. */
	readonly pausedAt: number | undefined;
};

function holds(entry: LogEntry, wanted: string): boolean {
	// Where the stream was interrupted stays to be seen, whatever is looked for.
	if (entry.kind === 'mark') return true;
	const {name, data, id = '', state = ''} = entry.event;
	return [name, data, id, state].some(text => text.toLowerCase().includes(wanted));
}

/** The entries to show, newest first. */
export function shownEvents(entries: readonly LogEntry[], {search, pausedAt}: Show): readonly LogEntry[] {
	const wanted = search.toLowerCase();
	const until = pausedAt ?? Number.POSITIVE_INFINITY;
	return entries.filter(entry => entry.number <= until && (wanted === '' || holds(entry, wanted))).reverse();
}
