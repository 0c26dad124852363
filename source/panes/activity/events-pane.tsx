import {type ReactNode, useMemo} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useEventLog, useExplorer, useExplorerState, useLive} from '../../hooks/explorer.tsx';
import {useNames, useWays} from '../../hooks/links.ts';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import {eventsPaused, eventsShownRaw} from '../../store/activity/events-view.ts';
import {
	type LogEntry,
	type LoggedEvent,
	type StreamMark,
	shownEvents,
} from '../../store/queries/event-log.ts';
import type {LiveState} from '../../store/queries/event-stream.ts';
import type {Link} from '../../store/queries/link.ts';
import {printableLines} from '../../terminal/printable.ts';
import {clockSeconds, counted, yet} from '../../terminal/quantity.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {linkTarget, targetLine} from '../list/listing-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {OpenedPane} from '../list/opened-pane.tsx';

const category = 'Events';

/** The state of the stream, in a few words. @param key retries now; undefined where none does */
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
				? 'no stream, no retry; polling'
				: `no stream; polling, next try in ${yet(state.until - now)}${byHand}`;
	}
}

/** The rows of the log that show, and their keys. */
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
				description: 'pause or resume',
				category,
				footer: 20,
				run: () => explorer.update(eventsPaused(state().eventsPausedAt === undefined ? last() : undefined)),
			},
			{
				keys: ['v'],
				action: 'events.raw',
				description: 'raw or readable',
				category,
				footer: 25,
				run: () => explorer.update(eventsShownRaw(!state().eventsRaw)),
			},
		];
	}, [explorer]);
}

/** The log of the event stream, newest first, with marks where it was interrupted. */
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
		dropped > 0 ? `${counted(dropped, 'older event')} dropped` : '',
	];
	const words = search === '' ? 'No events yet.' : 'No event contains this text.';
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

const words: Readonly<Record<StreamMark['what'], string>> = {
	live: '',
	interrupted: 'interrupted: ',
	missed: '',
	none: 'no stream: ',
};

/** The subject of an event: its name, and the ids in it, shortened. */
function aboutWords(
	{called, links, others}: LoggedEvent,
	nameOf: (link: Link) => string | undefined,
): string {
	const names = [...new Set([called, ...links.map(nameOf)].filter(name => name !== undefined))];
	const ids = links.map(({kind, id}) => `${kind} ${id.slice(0, 8)}`);
	return [...names, ...(ids.length > 0 ? ids : others.map(id => id.slice(0, 8)))].join('  ');
}

/** A line of the log: time, name, state and subjects; the data as received where `raw`. */
function eventRow(
	entry: LogEntry,
	{
		width,
		raw,
		screen,
		nameOf,
	}: {width: number; raw: boolean; screen: Screen; nameOf: (link: Link) => string | undefined},
): readonly Segment[] {
	const {signs, cell} = screen;
	const at = {text: `${clockSeconds(entry.at)}  `, role: 'dim'} as const;
	if (entry.kind === 'mark') {
		const {what, reason} = entry.mark;
		const role = what === 'live' ? 'good' : 'warning';
		const text = `${signs.line.horizontal.repeat(2)} ${words[what]}${reason} `;
		return [at, {text: text + signs.line.horizontal.repeat(Math.max(0, width - 10 - text.length)), role}];
	}
	const {name, data, state = ''} = entry.event;
	const nameCell = cell(name, Math.min(24, Math.max(8, Math.floor(width / 5))), {role: 'accent'});
	if (raw) return [at, nameCell, ' ', data];
	return [
		at,
		nameCell,
		' ',
		cell(state, Math.min(24, Math.floor(width / 5))),
		' ',
		aboutWords(entry.event, nameOf) || data,
	];
}

/** No more lines of one event are laid out. */
const mostLines = 500;

/** JSON over several lines; anything else as received. Numbers stay as they were written. */
function dataLines(data: string): readonly string[] {
	try {
		const value: unknown = JSON.parse(data);
		const spread = JSON.stringify(value, undefined, 2);
		// A number that JSON.parse would round is shown as received.
		const bare = (text: string) => text.replaceAll(/\s/g, '');
		return bare(JSON.stringify(value)) === bare(data) ? spread.split('\n') : [data];
	} catch {
		return data.split('\n');
	}
}

/** All that is known of an entry of the log, in lines of at most `width` cells. */
function eventLines(
	entry: LogEntry,
	{
		width,
		raw,
		screen,
		nameOf,
		to,
	}: {
		width: number;
		raw: boolean;
		screen: Screen;
		nameOf: (link: Link) => string | undefined;
		to: (link: Link) => void;
	},
): readonly OpenedLine[] {
	const field = (label: string, value: string): readonly Segment[] => [
		' ',
		screen.cell(label, 8, {role: 'dim'}),
		value,
	];
	const at = field('came', clockSeconds(entry.at));
	const laidOut = (text: string) =>
		printableLines(text, Math.max(1, width - 2), screen.drawing).map((line): readonly Segment[] => [
			' ',
			line,
		]);
	if (entry.kind === 'mark') return [at, ...laidOut(entry.mark.reason)];
	const {name, id, data, cut, state, links} = entry.event;
	const lines = raw ? data.split('\n') : dataLines(data);
	return [
		at,
		field('event', name),
		...(id === undefined ? [] : [field('id', id)]),
		...(state === undefined ? [] : [field('state', state)]),
		...links.map(link =>
			targetLine({label: link.kind, text: nameOf(link) ?? link.id}, linkTarget(link, to), {screen}),
		),
		[],
		...lines.slice(0, mostLines).flatMap(laidOut),
		...(cut > 0 ? [[{text: ` and ${counted(cut, 'character')} more`, role: 'dim'} as const]] : []),
	];
}
