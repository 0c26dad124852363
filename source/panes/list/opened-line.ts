import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Role} from '../../components/theme.ts';
import type {ListExtent, ListPosition} from '../../store/state/list-location.ts';
import {webTarget} from '../../terminal/hyperlink.ts';
import {printable} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';

/** A link or an action of a line. */
export type LineTarget = {
	/** Identifies it when lines come and go. */
	readonly id: string;
	/** The effect of enter, in a few words. */
	readonly description: string;
	readonly enter: () => void;
};

/** A line of an opened item. */
export type OpenedLine =
	| readonly Segment[]
	| {readonly segments: readonly Segment[]; readonly target: LineTarget};

export function targetOf(line: OpenedLine | undefined): LineTarget | undefined {
	return line !== undefined && 'target' in line ? line.target : undefined;
}

export function segmentsOf(line: OpenedLine | undefined): readonly Segment[] {
	if (line === undefined) return [];
	return 'target' in line ? line.segments : line;
}

/** The reader's position: the first line that shows, and the target at the pointer. */
type LinePlace = {readonly scroll: number; readonly target: string | undefined};

type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

/** The target at the pointer: the one moved to, if it shows, else the first that shows. */
export function currentTarget(
	{scroll, target}: LinePlace,
	lines: readonly OpenedLine[],
	height: number,
): LineTarget | undefined {
	const shown = lines.slice(scroll, scroll + height).map(targetOf);
	return (
		shown.find(each => each !== undefined && each.id === target) ?? shown.find(each => each !== undefined)
	);
}

function farBy(step: Step, height: number): number {
	const middle = 2 ** 40;
	return step({selected: middle, offset: middle}, {count: 2 ** 41, height}).selected - middle;
}

/**
 * Moves through lines as text browsers do: to the next link while it shows, else on by a line. Longer steps scroll,
 * and move to the first or last link that shows then.
 */
export function steppedLine(
	place: LinePlace,
	step: Step,
	lines: readonly OpenedLine[],
	height: number,
): LinePlace {
	const last = Math.max(0, lines.length - height);
	const scroll = Math.min(place.scroll, last);
	const by = farBy(step, height);
	const scrolled = Math.max(0, Math.min(last, scroll + by));
	const targets = lines.flatMap((line, row) => {
		const target = targetOf(line);
		return target === undefined ? [] : [{row, id: target.id}];
	});
	const shows = (from: number) => (each: {row: number}) => each.row >= from && each.row < from + height;
	if (Math.abs(by) === 1) {
		const now = currentTarget({...place, scroll}, lines, height);
		const at = targets.find(({id, row}) => id === now?.id && shows(scroll)({row}));
		const beyond =
			by === 1
				? targets.find(({row}) => row > (at?.row ?? scroll - 1))
				: targets.findLast(({row}) => row < (at?.row ?? scroll + height));
		if (beyond !== undefined && shows(scroll)(beyond)) return {scroll, target: beyond.id};
		const next = beyond !== undefined && shows(scrolled)(beyond) ? beyond : at;
		return {scroll: scrolled, target: next?.id};
	}
	const shown = targets.filter(shows(scrolled));
	const end = by > 0 && scrolled === last ? shown.at(-1) : shown[0];
	return {scroll: scrolled, target: end?.id};
}

/** A field of an opened item. */
export type KnownField = {readonly label: string; readonly value: string; readonly role?: Role};

const labelWidth = 14;

/** No more of one value is laid out, nor of one service's fields. */
const longestValue = 8000;
const mostFields = 1000;

/** Fields one below the other, long values wrapped and whole. */
export function fieldLines(
	fields: readonly KnownField[],
	width: number,
	screen: Screen,
): readonly (readonly Segment[])[] {
	const room = Math.max(8, width - labelWidth - 3);
	const left = fields.length - mostFields;
	const more: readonly KnownField[] =
		left > 0 ? [{label: '', value: `and ${grouped(left)} more fields`, role: 'dim'}] : [];
	return [...fields.slice(0, mostFields), ...more].flatMap(({label, value, role = 'plain'}) => {
		const parts = value.slice(0, longestValue).split(/\r?\n/);
		const lines = parts.flatMap(part => wrap(printable(part, screen.drawing), room));
		return lines.map((line, row): readonly Segment[] => [
			' ',
			screen.cell(row === 0 ? label : '', labelWidth, {role: 'dim'}),
			' ',
			{text: line, role, link: webTarget(value)},
		]);
	});
}

/** A heading between fields. */
export function headingLine(text: string): readonly Segment[] {
	return [' ', {text, role: 'title'}];
}
