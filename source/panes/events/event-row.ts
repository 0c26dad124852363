import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {LogEntry, StreamMark} from '../../store/live/event-log.ts';
import {clockSeconds} from '../../terminal/quantity.ts';

const words: Readonly<Record<StreamMark['what'], string>> = {
	live: '',
	interrupted: 'interrupted: ',
	missed: '',
	none: 'no stream: ',
};

/** A line of the log: when, what it is called, its state and what it names; as it came where `raw`. */
export function eventRow(
	entry: LogEntry,
	{width, raw, screen}: {width: number; raw: boolean; screen: Screen},
): readonly Segment[] {
	const {signs, cell} = screen;
	const at = {text: `${clockSeconds(entry.at)}  `, role: 'dim'} as const;
	if (entry.kind === 'mark') {
		const {what, reason} = entry.mark;
		const role = what === 'live' ? 'good' : 'warning';
		const text = `${signs.line.horizontal.repeat(2)} ${words[what]}${reason} `;
		return [at, {text: text + signs.line.horizontal.repeat(Math.max(0, width - 10 - text.length)), role}];
	}
	const {name, data, state = '', names} = entry.event;
	const nameCell = cell(name, Math.min(24, Math.max(8, Math.floor(width / 5))), {role: 'accent'});
	if (raw) return [at, nameCell, ' ', data];
	return [at, nameCell, ' ', cell(state, Math.min(24, Math.floor(width / 5))), ' ', names.join(' ') || data];
}
