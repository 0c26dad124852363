import type {DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {LineField} from '../../input/line-field.ts';
import {type FinetuneForm, type Step, stepOf, steps} from '../../store/finetune/finetune-form.ts';
import {printableLines} from '../../terminal/printable.ts';
import type {FormRow} from './form-page.ts';

type LineLook = {readonly width: number; readonly screen: Screen};

/** The pages in a line: which one shows, which have nothing wrong any more. */
export function stepsLine(
	form: FinetuneForm,
	problems: readonly FieldProblem[],
	{width, screen}: LineLook,
): DialogRow {
	const {vlaType, dataset} = form.draft;
	// Problems of cameras and hyperparameters are not known before that.
	const isLaidOut = vlaType !== undefined && dataset !== undefined;
	const isDone = (step: Step) =>
		step !== 'request' &&
		(isLaidOut || (step !== 'cameras' && step !== 'hyperparameters')) &&
		problems.every(({field}) => stepOf(field) !== step);
	const isNarrow = width < 74;
	const segments = steps.flatMap((step, at): Segment[] => {
		const isHere = step === form.step;
		const name = isNarrow ? (isHere ? `${at + 1} ${step}` : String(at + 1)) : step;
		const sign = isDone(step) ? screen.signs.yes : ' ';
		return [
			{text: at === 0 ? ' ' : '  ', role: 'plain'},
			{text: sign, role: 'good'},
			{text: name, role: isHere ? 'focus' : 'dim'},
		];
	});
	return {segments};
}

const labelWidth = (rows: readonly FormRow[], width: number) => {
	const labels = rows.map(row => ('label' in row && row.kind !== 'choice' ? row.label.length : 0));
	return Math.min(Math.max(12, ...labels) + 1, Math.floor(width / 2.5));
};

/** The lines of a row, wrapped to the dialog. */
export function rowLines(
	row: FormRow,
	{
		rows,
		isAt,
		field,
		width,
		screen,
	}: LineLook & {
		readonly rows: readonly FormRow[];
		readonly isAt: boolean;
		/** The row's text as it is typed, with its caret. */
		readonly field: LineField | undefined;
	},
): readonly DialogRow[] {
	const {signs, cell, drawing} = screen;
	const mark = isAt ? ` ${signs.pointer} ` : '   ';
	const wide = labelWidth(rows, width);
	switch (row.kind) {
		case 'words':
			return printableLines(row.text, Math.max(1, width - 2), drawing).map(text => ({
				segments: [' ', {text, role: row.role}],
			}));
		case 'line':
			return [{segments: [mark, {text: row.text, role: row.role}]}];
		case 'choice': {
			const check = row.isChosen ? signs.yes : ' ';
			const aside = row.off ?? row.aside;
			const longest = Math.max(...rows.map(each => (each.kind === 'choice' ? each.label.length : 0)));
			const name = Math.max(8, Math.min(longest + 1, Math.floor(width / 2)));
			return [
				{
					segments: [
						mark,
						{text: `${check} `, role: 'good'},
						cell(row.label, aside === '' ? width - 6 : name, {
							role: row.off === undefined ? (isAt ? 'strong' : 'plain') : 'dim',
							cut: 'middle',
						}),
						' ',
						{text: aside, role: row.off === undefined ? 'dim' : 'warning'},
					],
				},
			];
		}
		case 'text':
		case 'cycle': {
			const isText = row.kind === 'text';
			const changed = isText && row.isChanged ? '*' : ' ';
			const asideRoom = row.aside === '' ? 0 : Math.min(row.aside.length + 1, Math.floor(width / 2.4));
			const room = Math.max(6, width - 5 - wide - asideRoom);
			const isOpen = !isText && !row.isConfirmed;
			const value: readonly Segment[] =
				field === undefined
					? [
							cell(row.value, room, {
								role: isOpen ? 'warning' : isText && row.isChanged ? 'accent' : 'plain',
								cut: isText ? 'end' : 'start',
							}),
						]
					: padded(fieldSegments(field, room, screen), row.value, room);
			const marked = isText ? changed : signs.yes;
			const sign = isOpen ? '?' : row.problem === undefined ? marked : signs.warning;
			return [
				{
					segments: [
						mark,
						cell(row.label, wide, {role: isAt ? 'focus' : 'dim', cut: 'middle'}),
						{text: `${sign} `, role: isOpen ? 'warning' : row.problem === undefined ? 'accent' : 'bad'},
						...value,
						' ',
						{text: row.aside, role: 'dim'},
					],
				},
			];
		}
	}
}

/** A field is as long as its text; what stands behind it is to stay in its column. */
function padded(field: readonly Segment[], text: string, room: number): readonly Segment[] {
	return [...field, ' '.repeat(Math.max(0, room - text.length - 1))];
}
