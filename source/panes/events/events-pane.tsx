import {type ReactNode, useMemo} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useEventLog, useExplorer, useExplorerState, useLive} from '../../hooks/explorer.tsx';
import {useNames, useWays} from '../../hooks/links.ts';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import type {LiveState} from '../../store/live/live-stream.ts';
import {shownEvents} from '../../store/live/shown-events.ts';
import {eventsPaused, eventsShownRaw} from '../../store/view-transitions.ts';
import {clockSeconds, counted, yet} from '../../terminal/quantity.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {eventLines} from './event-lines.ts';
import {eventRow} from './event-row.ts';

const category = 'Events';

/** How the stream is, in a few words. @param key tries now; undefined where none does */
function streamWords(state: LiveState, now: number, key: string | undefined): string {
	const byHand = key === undefined ? '' : `, ${key} now`;
	switch (state.phase) {
		case 'idle':
			return 'not listening yet';
		case 'connecting':
			return 'connecting';
		case 'live':
			return `listening since ${clockSeconds(state.since)}`;
		case 'waiting':
			return `interrupted, next try in ${yet(state.until - now)}${byHand}`;
		case 'stopped':
			return state.until === undefined
				? 'no stream, not tried again; polling'
				: `no stream; polling, next try in ${yet(state.until - now)}${byHand}`;
	}
}

/** The rows of the log that show, and what each is called. */
function useShown() {
	const {entries, dropped} = useEventLog();
	const search = useExplorerState(state => state.lists.events.search);
	const pausedAt = useExplorerState(state => state.eventsPausedAt);
	const shown = useMemo(() => shownEvents(entries, {search, pausedAt}), [entries, search, pausedAt]);
	const keys = useMemo(() => shown.map(({number}) => String(number)), [shown]);
	return {entries, dropped, shown, keys, pausedAt, search};
}

function useEventBindings(): readonly Binding[] {
	const explorer = useExplorer();
	return useMemo(() => {
		const state = () => explorer.state.getState();
		const last = () => explorer.live.log.known.getState().entries.at(-1)?.number ?? 0;
		return [
			{
				keys: ['space', 'p'],
				action: 'events.pause',
				description: 'pause, go on',
				category,
				footer: 20,
				run: () => explorer.update(eventsPaused(state().eventsPausedAt === undefined ? last() : undefined)),
			},
			{
				keys: ['v'],
				action: 'events.raw',
				description: 'as they came, or in words',
				category,
				footer: 25,
				run: () => explorer.update(eventsShownRaw(!state().eventsRaw)),
			},
		];
	}, [explorer]);
}

/** What came over the stream of events, newest first, with marks where it was interrupted. */
export function EventsPane(look: ListLook): ReactNode {
	const screen = useScreen();
	const state = useLive(live => live);
	const nameOf = useNames();
	const raw = useExplorerState(({eventsRaw}) => eventsRaw);
	const {entries, dropped, shown, keys, pausedAt, search} = useShown();
	const bindings = useEventBindings();
	const keyOf = useKeyOf();
	const now = useNow(state.phase === 'waiting' || state.phase === 'stopped');
	const newer = pausedAt === undefined ? 0 : entries.filter(({number}) => number > pausedAt).length;
	const aside = [
		pausedAt === undefined ? streamWords(state, now, keyOf('explore.refresh')) : `paused, ${newer} newer`,
		dropped > 0 ? `${counted(dropped, 'older one')} gone` : '',
	];
	const words = search === '' ? 'No event has come yet.' : 'No event holds this text.';
	const empty: readonly (readonly Segment[])[] = [
		[{text: words, role: 'strong'}],
		...('reason' in state ? [[state.reason]] : []),
	];
	return (
		<ListPane
			{...look}
			list="events"
			title="Events"
			noun="event"
			keys={keys}
			rowOf={(row, width) => {
				const entry = shown[row];
				return entry === undefined ? [] : eventRow(entry, {width, raw, screen, nameOf});
			}}
			empty={empty}
			bindings={bindings}
			aside={aside.filter(Boolean).join(', ')}
		/>
	);
}

/** One event, whole. */
export function EventDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const screen = useScreen();
	const nameOf = useNames();
	const {to} = useWays();
	const raw = useExplorerState(({eventsRaw}) => eventsRaw);
	const cursor = useExplorerState(({lists}) => lists.events.cursor);
	const {entries, keys} = useShown();
	const bindings = useEventBindings();
	const entry = entries.find(({number}) => String(number) === cursor);
	const lines = useMemo(
		() => (entry === undefined ? [] : eventLines(entry, {width: look.width, raw, screen, nameOf, to})),
		[entry, look.width, raw, screen, nameOf, to],
	);
	const gone: readonly (readonly Segment[])[] = [[{text: ' It is no longer in the log.', role: 'dim'}]];
	return (
		<OpenedPane
			{...look}
			list="events"
			title={entry?.kind === 'event' ? entry.event.name : 'Stream'}
			noun="event"
			keys={keys}
			lines={entry === undefined ? gone : lines}
			bindings={bindings}
		/>
	);
}
