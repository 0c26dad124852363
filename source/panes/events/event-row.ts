import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Link} from '../../store/links/link.ts';
import type {LogEntry, LoggedEvent, StreamMark} from '../../store/live/event-log.ts';
import {clockSeconds} from '../../terminal/quantity.ts';

const words: Readonly<Record<StreamMark['what'], string>> = {
	live: '',
	interrupted: 'interrupted: ',
	missed: '',
	none: 'no stream: ',
};

/** What an event is about: what it or the explorer calls it, and the ids that it names, short. */
function aboutWords(
	{called, links, others}: LoggedEvent,
	nameOf: (link: Link) => string | undefined,
): string {
	const names = [...new Set([called, ...links.map(nameOf)].filter(name => name !== undefined))];
	const ids = links.map(({kind, id}) => `${kind} ${id.slice(0, 8)}`);
	return [...names, ...(ids.length > 0 ? ids : others.map(id => id.slice(0, 8)))].join('  ');
}

/** A line of the log: when, what it is called, its state and what it names; as it came where `raw`. */
export function eventRow(
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
