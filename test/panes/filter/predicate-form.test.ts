import {expect, test} from 'vitest';
import {editField} from '../../../source/input/line-field.ts';
import {
	abandoned,
	added,
	cellMoved,
	committed,
	deleted,
	entered,
	type Form,
	openForm,
	restored,
	retyped,
	rowAt,
	rowMoved,
	toggled,
} from '../../../source/panes/filter/form.ts';
import {newRow} from '../../../source/store/filter/predicate-row.ts';

const rows = [
	{...newRow, name: 'quality_score', value: '0.8'},
	{...newRow, agg: 'max' as const, name: 'gripper.pos', op: 'gt' as const, value: '50'},
];

function typed(form: Form, text: string): Form {
	if (form.typing === undefined) throw new Error('no cell is typed into');
	return retyped(form, editField(form.typing.field, {do: 'insert', text}));
}

test('a row is added below, its figure chosen and its number typed next', () => {
	const named = committed(typed(added(openForm(rows)), 'spar'), {name: 'sparc'});
	expect(rowAt(named)).toMatchObject({name: 'sparc', value: ''});
	expect(named.cell).toBe('value');
	const whole = committed(typed(named, ' -3 '));
	expect(whole.rows.map(({name, value}) => `${name} ${value}`)).toEqual([
		'quality_score 0.8',
		'sparc -3',
		'gripper.pos 50',
	]);
	expect(whole.typing).toBeUndefined();
});

test('a chosen channel brings its stream, an unknown one stays as typed', () => {
	const at = {...rowMoved(openForm(rows), 1), cell: 'name' as const};
	const chosen = committed(entered(at), {name: 'elbow.pos', stream: 'state'});
	expect(rowAt(chosen)).toMatchObject({name: 'elbow.pos', stream: 'state'});
	expect(rowAt(committed(typed(entered(at, ''), 'odd')))).toMatchObject({name: 'odd', stream: 'action'});
});

test('an added row that is left empty is dropped', () => {
	expect(abandoned(added(openForm(rows)))).toMatchObject({rows, typing: undefined, deleted: undefined});
	expect(abandoned(entered(openForm(rows), '7')).rows).toEqual(rows);
});

test('enter cycles through the words of a cell; a figure has no stream to choose', () => {
	const op = entered({...openForm(rows), cell: 'op'});
	expect(rowAt(op)?.op).toBe('lte');
	const agg = entered({...openForm(rows), cell: 'agg'});
	expect(rowAt(agg)?.agg).toBe('max');
	expect(cellMoved({...openForm(rows), cell: 'agg'}, 1).cell).toBe('name');
	expect(cellMoved(agg, 1).cell).toBe('stream');
	expect(rowMoved({...rowMoved(openForm(rows), 1), cell: 'stream'}, -1).cell).toBe('name');
	expect(cellMoved(openForm(rows), 1, true)).toMatchObject({at: 1, cell: 'agg'});
});

test('a deleted row can be put back where it was', () => {
	const gone = deleted(openForm(rows));
	expect(gone.rows).toEqual([rows[1]]);
	expect(restored(gone).rows).toEqual(rows);
	expect(restored(restored(gone)).rows).toEqual(rows);
	expect(deleted(deleted(gone)).rows).toEqual([]);
	expect(toggled(openForm([]))).toEqual(openForm([]));
});
