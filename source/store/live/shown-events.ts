import type {LogEntry} from './event-log.ts';

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

/** What of the log shows, newest first. */
export function shownEvents(entries: readonly LogEntry[], {search, pausedAt}: Show): readonly LogEntry[] {
	const wanted = search.toLowerCase();
	const until = pausedAt ?? Number.POSITIVE_INFINITY;
	return entries.filter(entry => entry.number <= until && (wanted === '' || holds(entry, wanted))).reverse();
}
