import type {DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import type {Screen} from '../../components/screen.tsx';
import {lineWidth, type Segment} from '../../components/segment.ts';
import type {Role} from '../../components/theme.ts';
import type {LineField} from '../../input/line-field.ts';
import type {NameCandidate} from '../../query/complete.ts';
import {signOf} from '../../query/term.ts';
import type {PredicateRow} from '../../store/filter/predicate-row.ts';
import {grouped} from '../../terminal/quantity.ts';
import {columnOf} from '../episodes/columns.ts';
import type {Cell, Form} from './form.ts';

/** The pointer, the check mark, and the warning sign. */
const signsWidth = 3;
const aggWidth = 5;
const streamWidth = 10;
const opWidth = 3;
const valueWidth = 12;

/** Cells for the name of a metric or a channel. */
function nameWidth(width: number): number {
	return Math.max(8, width - aggWidth - streamWidth - opWidth - valueWidth - 9);
}

export function formHead(width: number, {cell}: Screen): DialogRow {
	const titles: readonly (readonly [string, number])[] = [
		['agg', aggWidth],
		['stream', streamWidth],
		['figure or channel', nameWidth(width)],
		['', opWidth],
		['value', valueWidth],
	];
	return {
		segments: ['    ', ...titles.flatMap(([title, cells]) => [cell(title, cells, {role: 'dim'}), ' '])],
	};
}

type RowLook = {
	readonly form: Form;
	readonly place: number;
	readonly width: number;
	readonly isWrong: boolean;
	readonly screen: Screen;
};

/** A row of the form: its check mark and its cells, the current one in brackets. */
export function formLine(row: PredicateRow, {form, place, width, isWrong, screen}: RowLook): DialogRow {
	const {signs} = screen;
	const isHere = place === form.at;
	const role: Role = isWrong ? 'bad' : row.isOn ? 'plain' : 'dim';
	const shown: readonly (readonly [Cell, string, number])[] = [
		['agg', row.agg ?? signs.none, aggWidth],
		['stream', row.agg === undefined ? '' : row.stream, streamWidth],
		['name', row.name === '' ? signs.ellipsis : row.name, nameWidth(width)],
		['op', signOf[row.op], opWidth],
		['value', row.value === '' ? signs.ellipsis : row.value, valueWidth],
	];
	const segments: Segment[] = [
		isHere ? signs.pointer : ' ',
		{text: row.isOn ? signs.check.on : signs.check.off, role: row.isOn ? 'accent' : 'dim'},
		isWrong ? {text: signs.warning, role: 'bad'} : ' ',
	];
	// Brackets stand in the blanks around their cell.
	let edge: Segment = ' ';
	for (const [name, text, cells] of shown) {
		const isCell = isHere && name === form.cell;
		segments.push(isCell ? {text: '[', role: 'focus'} : edge);
		if (isCell && form.typing !== undefined) segments.push(...typed(form.typing.field, cells, screen));
		else segments.push(screen.cell(text, cells, {role: isCell ? 'strong' : role, cut: 'middle'}));
		edge = isCell ? {text: ']', role: 'focus'} : ' ';
	}
	return {segments: [...segments, edge]};
}

/** The field of a cell, filled to its width. */
function typed(field: LineField, cells: number, screen: Screen): readonly Segment[] {
	const segments = fieldSegments(field, cells, screen);
	return [...segments, ' '.repeat(Math.max(0, cells - lineWidth(segments)))];
}

/** The part of `count` candidates that fits `height` rows. */
export function candidateWindow(
	count: number,
	chosen: number | undefined,
	height: number,
): {readonly from: number; readonly to: number} {
	const shown = Math.min(count, height);
	const from = Math.max(0, Math.min((chosen ?? 0) - Math.floor(shown / 2), count - shown));
	return {from, to: from + shown};
}

/** The cell at a column of a row; left of them all, the check mark. */
export function cellAt(column: number, width: number): Cell | 'check' {
	const widths: readonly (readonly [Cell, number])[] = [
		['agg', aggWidth],
		['stream', streamWidth],
		['name', nameWidth(width)],
		['op', opWidth],
	];
	let end = signsWidth;
	if (column < end) return 'check';
	for (const [cell, cells] of widths) {
		// A blank for the bracket comes before each.
		end += 1 + cells;
		if (column < end) return cell;
	}
	return 'value';
}

/** The names that match the text in the cell that is typed into. */
export function candidateLines(
	candidates: readonly NameCandidate[],
	chosen: number | undefined,
	{height, screen}: {height: number; screen: Screen},
): readonly DialogRow[] {
	const {from, to} = candidateWindow(candidates.length, chosen, height);
	return candidates.slice(from, to).map(({name, stream, count: episodes}, place): DialogRow => {
		const isChosen = from + place === chosen;
		const label = stream === undefined ? name : `${stream}.${name}`;
		const what =
			stream === undefined ? columnOf(name).description : episodes === undefined ? '' : grouped(episodes);
		return {
			segments: [
				isChosen ? `    ${screen.signs.pointer} ` : '      ',
				{text: label, role: 'accent'},
				'  ',
				{text: what, role: 'dim'},
			],
			look: isChosen ? 'selected' : undefined,
		};
	});
}
