import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {Role} from '../../components/theme.ts';
import type {Row} from '../../store/queries/explore-result.ts';
import {grouped} from '../../terminal/quantity.ts';
import type {Column} from './columns.ts';

const words: Readonly<Record<Exclude<Row, object>, string>> = {
	loading: 'reading',
	failed: 'could not be read',
	unreadable: 'invalid, skipped',
	missing: 'not given by the service',
};

export type RowMark = 'selected' | 'idle' | undefined;

/** True if the row is selected, or in a range that is being marked; undefined while nothing is selected. */
export type RowPick = 'picked' | 'ranged' | 'free' | undefined;

/** A row of the episode table: where the cursor is, what is selected, then the cells. */
export function episodeRow(
	row: Row,
	{
		index,
		columns,
		gap,
		mark,
		pick,
		screen,
	}: {
		index: number;
		columns: readonly FittedColumn[];
		gap: number;
		mark: RowMark;
		pick?: RowPick;
		screen: Screen;
	},
): Segment[] {
	const {signs} = screen;
	const pointer = mark === 'selected' ? signs.pointer : mark === 'idle' ? signs.idlePointer : ' ';
	const picked = {picked: signs.check.on, ranged: signs.partly, free: ' '};
	const sign = pick === undefined ? pointer : pointer + picked[pick];
	if (typeof row === 'string') {
		const word = row === 'loading' ? signs.ellipsis : words[row];
		return [sign, {text: ` row ${grouped(index + 1)} ${word}`, role: row === 'loading' ? 'dim' : 'warning'}];
	}
	const segments: Segment[] = [sign];
	columns.forEach(({column, width}, place) => {
		const {text, role} = column.cell(row, screen);
		const {align, cut} = column;
		if (place > 0) segments.push(' '.repeat(gap));
		segments.push(
			screen.cell(text, width, {
				align,
				...(cut === undefined ? {} : {cut}),
				...(role === undefined ? {} : {role}),
			}),
		);
	});
	return segments;
}

/** The rule above the table, with the heads of the columns on it. */
export function episodeHead(
	columns: readonly FittedColumn[],
	{
		width,
		gap,
		hidden,
		focused,
		gutter = 1,
		screen,
	}: {width: number; gap: number; hidden: number; focused: boolean; gutter?: number; screen: Screen},
): Segment[] {
	const {signs} = screen;
	const stroke = focused ? signs.line.heavy : signs.line.horizontal;
	const role = focused ? 'focus' : 'border';
	const more = hidden > 0 ? ` +${hidden} ` : '';
	const end = width - more.length - (more === '' ? 0 : 1);
	const segments: Segment[] = [];
	let used = 0;
	const draw = (text: string, look: Role, cells = text.length) => {
		const room = Math.max(0, end - used);
		used += Math.min(cells, room);
		if (cells <= room) segments.push({text, role: look});
		else
			segments.push(
				text.length === cells
					? {text: text.slice(0, room), role: look}
					: screen.cell(text, room, {role: look}),
			);
	};
	draw(stroke.repeat(gutter), role);
	columns.forEach(({column, width: cells}, place) => {
		// A metric that was found in the data may have any name.
		const labelCells = Math.min(cells, cellsOf(column.label, screen.drawing.ascii));
		const {text: label} = screen.cell(column.label, labelCells);
		const fill = stroke.repeat(cells - labelCells);
		if (place > 0) draw(stroke.repeat(gap), role);
		if (column.align === 'right') draw(fill, role);
		draw(label, 'title', labelCells);
		if (column.align === 'left') draw(fill, role);
	});
	draw(stroke.repeat(Math.max(0, end - used)), role);
	return more === '' ? segments : [...segments, {text: more, role: 'dim'}, {text: stroke, role}];
}

/** A column with the cells that it gets. */
export type FittedColumn = {readonly column: Column; readonly width: number};

/**
 * The columns that fit, in order, with `gap` cells before each: as many of the chosen ones as there is room for, the
 * rest of the room shared among those that grow.
 *
 * @param shift how many columns behind the first have been scrolled past.
 */
export function fitColumns(
	chosen: readonly Column[],
	width: number,
	{gap, shift = 0}: {gap: number; shift?: number},
): {readonly fitted: readonly FittedColumn[]; readonly hidden: number} {
	const [first, ...rest] = chosen;
	if (first === undefined) return {fitted: [], hidden: 0};
	const candidates = [first, ...rest.slice(Math.min(shift, Math.max(0, rest.length - 1)))];
	const kept: Column[] = [];
	let room = width;
	for (const column of candidates) {
		if (kept.length > 0 && room < column.width + gap) break;
		kept.push(column);
		room -= column.width + gap;
	}
	return {fitted: grow(kept, Math.max(0, room)), hidden: candidates.length - kept.length};
}

/** Names need no more than this; beyond it, room goes to the columns that still grow. */
const widest = 28;

function grow(columns: readonly Column[], room: number): FittedColumn[] {
	const total = columns.reduce((sum, {grow: eagerness}) => sum + eagerness, 0);
	let left = room;
	const fitted = columns.map(column => {
		if (column.grow === 0 || total === 0) return {column, width: column.width};
		const share = Math.floor((room * column.grow) / total);
		const more = column.grow === 1 ? Math.min(share, Math.max(0, widest - column.width)) : share;
		left -= more;
		return {column, width: column.width + more};
	});
	const greediest = fitted.reduce<FittedColumn | undefined>(
		(best, next) => (next.column.grow > (best?.column.grow ?? 0) ? next : best),
		undefined,
	);
	return fitted.map(next => (next === greediest ? {...next, width: next.width + left} : next));
}
