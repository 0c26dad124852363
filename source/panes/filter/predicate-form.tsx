import {type ReactNode, useEffect, useMemo} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {type KeyOf, keySentence, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useDistribution, useExplorer, useOffers, useResult} from '../../hooks/explorer.tsx';
import {useLatestState} from '../../hooks/latest-state.ts';
import {editField, fieldEdit} from '../../input/line-field.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import {completeName} from '../../query/complete.ts';
import {numberOf} from '../../query/predicate-term.ts';
import {print} from '../../query/print.ts';
import {applied, figureOfRow, rowsKept, rowsOf} from '../../store/filter/predicate-row.ts';
import {shownRows} from '../../store/state/list-location.ts';
import type {NoticeWay} from '../../store/state/notices.ts';
import {overlaid} from '../../store/state/transitions.ts';
import type {KeyEvent, PasteEvent} from '../../terminal/input-event.ts';
import {printableLines} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {distributionLines} from './distribution-words.ts';
import {committed, type Form, openForm, pressedAt, retyped, rowAt, rowMoved} from './form.ts';
import {cellBindings, formBindings} from './form-bindings.ts';
import {candidateLines, candidateWindow, cellAt, formHead, formLine} from './form-lines.ts';

type PredicateFormProps = {readonly width: number; readonly height: number};

const widest = 84;

/** Rows for the distribution of a metric, kept while there is none, so that rows do not move under the mouse. */
const figureHeight = 2;

/** Names that are offered at once. */
const mostNames = 6;

/** The rows of the form; complete and checked ones are applied to the filter with every change. */
function useForm() {
	const explorer = useExplorer();
	const {drawn, now, change} = useLatestState(() => {
		const {filter, keptRows} = explorer.state.getState();
		return openForm(rowsOf(filter, keptRows));
	});
	const apply = useMemo(
		() => (step: (form: Form) => Form) => {
			const {before, after} = change(step);
			if (after.rows === before.rows) return;
			const {filter} = explorer.state.getState();
			const next = applied(filter, after.rows);
			explorer.update(rowsKept(next.kept));
			if (print(next.filter) !== print(filter)) explorer.filterBy(next.filter);
		},
		[explorer, change],
	);
	return {form: drawn, now, change: apply};
}

/** The distribution of the metric whose number is being set, and the threshold in it, without its own row in the filter. */
function useFigure(form: Form) {
	const explorer = useExplorer();
	const distribution = useDistribution();
	const row = form.cell === 'value' ? rowAt(form) : undefined;
	const of = row && figureOfRow(row);
	const {filter} = explorer.state.getState();
	useEffect(() => {
		const others = form.rows.filter(other => other !== row);
		const rest = applied(filter, others).filter;
		explorer.filterLine.distribution.look(of && {of, threshold: undefined, rest});
	});
	if (row === undefined || of === undefined || distribution === undefined) return undefined;
	if (JSON.stringify(distribution.of) !== JSON.stringify(of)) return undefined;
	const value = numberOf(form.typing?.field.text ?? row.value);
	return [distribution, value === undefined ? undefined : {op: row.op, value}] as const;
}

/** Edits the comparisons of the filter, a row each: metric or channel, operator, value, and whether it is applied. */
export function PredicateForm({width, height}: PredicateFormProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const total = useResult(result => result.totals?.episodes);
	const isPrevious = useResult(result => result.isPrevious);
	useOffers();
	const {form, now, change} = useForm();
	const {filterLine} = explorer;
	useEffect(() => {
		filterLine.open();
		return () => filterLine.close();
	}, [filterLine]);

	const bindings = useMemo(() => {
		const candidates = () => {
			const {typing} = now();
			const row = rowAt(now());
			if (typing === undefined || row === undefined) return [];
			return completeName(typing.field.text.trim(), row.agg, filterLine.offered());
		};
		const close = () => explorer.update(overlaid(undefined));
		const explain = (text: string, addition?: NoticeWay) => explorer.notify('info', text, addition);
		const open = {now, change, candidates, close, explain};
		return {form: formBindings(open), cell: cellBindings(open)};
	}, [explorer, filterLine, now, change]);
	function capture(event: KeyEvent | PasteEvent): boolean {
		const {typing} = now();
		const edit = fieldEdit(event);
		if (typing === undefined || edit === undefined) return false;
		change(from => retyped(from, editField(typing.field, edit)));
		return true;
	}
	const isTyping = form.typing !== undefined;
	useBindings({id: 'predicates', level: 'dialog', modal: true, bindings: bindings.form});
	useBindings({
		id: 'predicate-cell',
		level: 'dialog',
		modal: true,
		active: isTyping,
		bindings: bindings.cell,
		text: capture,
	});

	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const row = rowAt(form);
	const {problems} = applied(explorer.state.getState().filter, form.rows);
	const names =
		form.typing !== undefined && form.cell === 'name' && row !== undefined
			? completeName(form.typing.field.text.trim(), row.agg, filterLine.offered())
			: [];
	const nameHeight = Math.max(1, Math.min(mostNames, height - 9));
	const nameRows = candidateLines(names, form.typing?.chosen, {height: nameHeight, screen});
	const figures = useFigure(form);
	const drawn = figures === undefined ? [] : distributionLines(...figures, {screen, width: inner});
	const figureRows = Array.from(
		{length: form.rows.length > 0 ? figureHeight : 0},
		(_, at) => drawn[at] ?? [],
	);
	const keyOf = useKeyOf(bindings.form);
	const sentence = sentenceOf(form, row === undefined ? undefined : problems.get(row), keyOf);
	const words = printableLines(sentence.text, Math.max(1, inner - 2), screen.drawing).slice(0, 2);
	const room = Math.max(1, height - 5 - words.length - nameRows.length - figureRows.length);
	const {from, to} = shownRows({selected: form.at, offset: 0}, {count: form.rows.length, height: room});
	const lines = form.rows.slice(from, to).flatMap((each, index): readonly DialogRow[] => {
		const place = from + index;
		const line = formLine(each, {form, place, width: inner, isWrong: problems.has(each), screen});
		return place === form.at ? [line, ...nameRows] : [line];
	});
	const area = useMouseArea({
		id: 'predicates',
		level: 'dialog',
		within: isTyping ? 'predicate-cell' : 'predicates',
		wheel: by => change(at => (at.typing === undefined ? rowMoved(at, by) : at)),
		press(pressed, column) {
			// Rows begin below the title and the column heads; names stand below the row that is typed into.
			const place = from + pressed - 2;
			const name =
				names[place - form.at - 1 + candidateWindow(names.length, form.typing?.chosen, nameHeight).from];
			if (place > form.at && place <= form.at + nameRows.length) change(at => committed(at, name));
			else if (isTyping) router.run('predicates.take');
			else if (place >= from && place < to) change(at => pressedAt(at, place, cellAt(column - 1, inner)));
		},
	});
	const count = total === undefined ? '' : `${grouped(total)} match`;
	return (
		<Dialog
			title="Comparisons"
			aside={isPrevious ? `filtering${screen.signs.ellipsis}` : count}
			width={wide}
			rows={[
				...(form.rows.length > 0 ? [formHead(inner, screen)] : []),
				...lines,
				...figureRows.map((segments): DialogRow => ({segments})),
				...words.map((text): DialogRow => ({segments: [' ', {text, role: sentence.role}]})),
			]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

/** The sentence below the rows: the problem of the current row, or a hint. */
function sentenceOf(
	form: Form,
	problem: string | undefined,
	keyOf: KeyOf,
): {text: string; role: 'bad' | 'dim'} {
	if (problem !== undefined && form.typing === undefined) return {text: problem, role: 'bad'};
	if (form.rows.length === 0) {
		return {text: `No comparison yet. ${keySentence(keyOf, [['predicates.add', 'adds one']])}`, role: 'dim'};
	}
	if (form.typing !== undefined) {
		return {
			text: form.cell === 'name' ? 'A part of the name is enough.' : 'A number such as 0.8.',
			role: 'dim',
		};
	}
	return {
		text: 'Unchecked comparisons are kept but not applied.',
		role: 'dim',
	};
}
