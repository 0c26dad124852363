import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Link} from '../../store/links/link.ts';
import type {LogEntry} from '../../store/live/event-log.ts';
import {printableLines} from '../../terminal/printable.ts';
import {clockSeconds, counted} from '../../terminal/quantity.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {linkTarget, targetLine} from '../listing/link-line.ts';

/** No more lines of one event are laid out. */
const mostLines = 500;

/** JSON over several lines, as it reads best; anything else as it came. Numbers stay as they were written. */
function dataLines(data: string): readonly string[] {
	try {
		const value: unknown = JSON.parse(data);
		const spread = JSON.stringify(value, undefined, 2);
		// A number that a plain reader rounds is better seen as it came.
		const bare = (text: string) => text.replaceAll(/\s/g, '');
		return bare(JSON.stringify(value)) === bare(data) ? spread.split('\n') : [data];
	} catch {
		return data.split('\n');
	}
}

/** All that is known of an entry of the log, in lines of at most `width` cells. */
export function eventLines(
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
