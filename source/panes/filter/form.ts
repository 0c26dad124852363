import {aggregates, comparisons, streams} from '../../contract/vocabulary.ts';
import {type LineField, lineField} from '../../input/line-field.ts';
import type {NameCandidate} from '../../query/complete.ts';
import {newRow, type PredicateRow} from '../../store/filter/predicate-row.ts';

const cells = ['agg', 'stream', 'name', 'op', 'value'] as const;
export type Cell = (typeof cells)[number];

/** The predicate form while it is open. */
export type Form = {
	readonly rows: readonly PredicateRow[];
	readonly at: number;
	readonly cell: Cell;
	/** The cell that is typed into, and the candidate that is chosen for it. */
	readonly typing: {readonly field: LineField; readonly chosen: number | undefined} | undefined;
	/** The row that was deleted last, and its place. */
	readonly deleted: {readonly row: PredicateRow; readonly at: number} | undefined;
};

export function openForm(rows: readonly PredicateRow[]): Form {
	return {rows, at: 0, cell: 'value', typing: undefined, deleted: undefined};
}

export function rowAt({rows, at}: Form): PredicateRow | undefined {
	return rows[at];
}

function changed(form: Form, change: Partial<PredicateRow>): Form {
	return {...form, rows: form.rows.map((row, place) => (place === form.at ? {...row, ...change} : row))};
}

/** The cells of a row: a metric of the whole episode has no stream. */
function cellsOfRow(row: PredicateRow | undefined): readonly Cell[] {
	return row?.agg === undefined ? cells.filter(cell => cell !== 'stream') : cells;
}

export function rowMoved(form: Form, by: number): Form {
	const at = Math.max(0, Math.min(form.rows.length - 1, form.at + by));
	return {...form, at, cell: cellsOfRow(form.rows[at]).includes(form.cell) ? form.cell : 'name'};
}

/** Goes to the cell beside; from the last of a row to the first of the next where `wraps`. */
export function cellMoved(form: Form, by: 1 | -1, wraps = false): Form {
	const own = cellsOfRow(rowAt(form));
	const place = own.indexOf(form.cell) + by;
	const cell = own[place];
	if (cell !== undefined) return {...form, cell};
	if (!wraps || form.rows.length === 0) return form;
	const at = (form.at + by + form.rows.length) % form.rows.length;
	const others = cellsOfRow(form.rows[at]);
	return {...form, at, cell: (by === 1 ? others[0] : others.at(-1)) ?? 'name'};
}

export function toggled(form: Form): Form {
	const row = rowAt(form);
	return row === undefined ? form : changed(form, {isOn: !row.isOn});
}

/** Adds an empty row below the current one. */
export function added(form: Form): Form {
	const at = form.rows.length === 0 ? 0 : form.at + 1;
	const rows = [...form.rows.slice(0, at), newRow, ...form.rows.slice(at)];
	return {...form, rows, at, cell: 'name', typing: {field: lineField(), chosen: undefined}};
}

export function deleted(form: Form): Form {
	const row = rowAt(form);
	if (row === undefined) return form;
	const rows = form.rows.filter((_, place) => place !== form.at);
	return {...form, rows, at: Math.max(0, Math.min(form.at, rows.length - 1)), deleted: {row, at: form.at}};
}

/** Restores the row that was deleted last. */
export function restored(form: Form): Form {
	if (form.deleted === undefined) return form;
	const {row, at} = form.deleted;
	const rows = [...form.rows.slice(0, at), row, ...form.rows.slice(at)];
	return {...form, rows, at, deleted: undefined};
}

function after<Value>(values: readonly Value[], value: Value): Value {
	return values[(values.indexOf(value) + 1) % values.length] ?? value;
}

/** Enter in a cell: the next of a few words, or typing. */
export function entered(form: Form, typed?: string): Form {
	const row = rowAt(form);
	if (row === undefined) return form;
	switch (form.cell) {
		case 'agg':
			return changed(form, {agg: after([undefined, ...aggregates], row.agg)});
		case 'stream':
			return changed(form, {stream: after(streams, row.stream)});
		case 'op':
			return changed(form, {op: after(comparisons, row.op)});
		case 'name':
		case 'value':
			return {...form, typing: {field: lineField(typed ?? row[form.cell]), chosen: undefined}};
	}
}

/** Writes the typed text into its cell; after a name, a number is typed next. */
export function committed(form: Form, candidate?: NameCandidate): Form {
	const row = rowAt(form);
	const {typing} = form;
	if (row === undefined || typing === undefined) return form;
	const text = typing.field.text.trim();
	if (form.cell === 'value') return changed({...form, typing: undefined}, {value: text});
	const stream = candidate?.stream ?? row.stream;
	const named = changed({...form, typing: undefined}, {name: candidate?.name ?? text, stream});
	return row.value === '' ? entered({...named, cell: 'value'}) : named;
}

/** Leaves a cell unchanged; a row that was added and left empty is removed. */
export function abandoned(form: Form): Form {
	const row = rowAt(form);
	const isEmpty = row?.name === '' && row.value === '';
	const {rows, at} = isEmpty ? deleted(form) : form;
	return {...form, rows, at, typing: undefined};
}

export function retyped(form: Form, field: LineField): Form {
	return {...form, typing: {field, chosen: undefined}};
}

/** A press on a cell selects it; a press on the selected cell enters it. */
export function pressedAt(form: Form, at: number, wanted: Cell | 'check'): Form {
	const there = {...form, at};
	if (wanted === 'check') return toggled(there);
	// A metric of the whole episode has no stream: its aggregate is selected instead.
	const cell = cellsOfRow(rowAt(there)).includes(wanted) ? wanted : 'agg';
	return form.at === at && form.cell === cell ? entered(form) : {...there, cell};
}

/** Chooses another of `count` candidates; none above the first. */
export function choseName(form: Form, by: number, count: number): Form {
	if (form.typing === undefined) return form;
	const to = Math.min(count - 1, (form.typing.chosen ?? -1) + by);
	return {...form, typing: {...form.typing, chosen: to < 0 ? undefined : to}};
}
