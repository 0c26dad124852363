import {type ReactNode, useCallback, useMemo, useReducer, useRef} from 'react';
import {useStore} from 'zustand';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useJobs, useLocal} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {editField, fieldEdit, type LineField, lineField} from '../../input/line-field.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import {rowGone, type Step, steps} from '../../store/finetune/finetune-form.ts';
import {shownRows} from '../../store/state/list-location.ts';
import type {KeyEvent, PasteEvent} from '../../terminal/input-event.ts';
import {counted} from '../../terminal/quantity.ts';
import {cameraAt, showsFrames, useFrameRows} from './camera-frame.ts';
import {datasetRows, projectRows, type Typed, typeRows} from './choice-pages.ts';
import {finetuneBindings} from './finetune-bindings.ts';
import {rowLines, stepsLine} from './finetune-lines.ts';
import {allProblems, type FormRow, isEntered, type Page, refusedRows, rowAt, words} from './form-page.ts';
import {requestRows} from './request-page.ts';
import {cameraRows, hyperparameterRows, trainingRows} from './setting-pages.ts';

type FinetuneDialogProps = {readonly width: number; readonly height: number};

const widest = 100;

const pages: Readonly<Record<Step, (page: Page, typed: Typed) => readonly FormRow[]>> = {
	project: projectRows,
	dataset: datasetRows,
	type: typeRows,
	cameras: cameraRows,
	training: trainingRows,
	hyperparameters: hyperparameterRows,
	request: requestRows,
};

/** The rows of the current page, below the service's refusals. */
function rowsOf(page: Page, typed: Typed): readonly FormRow[] {
	const rows = pages[page.state.form.step](page, typed);
	return [...refusedRows(page, rows), ...rows];
}

/** Texts of the pages that are not part of the draft, and the caret of the row that is typed into. */
function useTyping() {
	const texts = useRef(new Map<string, string>());
	const caret = useRef<{id: string; field: LineField} | undefined>(undefined);
	const [, draw] = useReducer((count: number) => count + 1, 0);
	const typed = useMemo<Typed>(
		() => ({
			value: id => texts.current.get(id) ?? '',
			set: (id, text) => texts.current.set(id, text),
		}),
		[],
	);
	const fieldOf = useCallback((id: string, text: string): LineField => {
		const held = caret.current;
		if (held?.id === id && held.field.text === text) return held.field;
		const field = lineField(text);
		caret.current = {id, field};
		return field;
	}, []);
	const edited = useCallback((id: string, field: LineField) => {
		caret.current = {id, field};
		draw();
	}, []);
	return {typed, fieldOf, edited};
}

/** Launches a fine-tune: filled in page by page, the request shown before it is sent. */
export function FinetuneDialog({width, height}: FinetuneDialogProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const {to} = useWays();
	const copy = useCopy();
	const controller = explorer.finetune;
	const state = useStore(controller.state);
	const known = useStore(controller.facts.known);
	const {jobs} = useJobs();
	const canCompose = useLocal(({document}) => document?.abilities.includes('compose') ?? false);
	const {typed, fieldOf, edited} = useTyping();

	const keyOf = useKeyOf();
	const look = useCallback((): Page => {
		const [now, facts] = [controller.state.getState(), controller.facts.known.getState()];
		return {
			controller,
			state: now,
			known: facts,
			jobs,
			canCompose,
			keyOf,
			...allProblems(controller, now, facts),
		};
	}, [controller, jobs, canCompose, keyOf]);
	const rowsNow = useCallback(() => {
		return rowsOf(look(), typed);
	}, [look, typed]);
	const bindings = useMemo(
		() =>
			finetuneBindings({
				controller,
				rows: rowsNow,
				problems: () => look().problems,
				arrived: jobId => to({kind: 'job', id: jobId}),
				copy,
				showsFrames: () => showsFrames(controller.frames.known.getState(), screen),
			}),
		[controller, rowsNow, look, to, copy, screen],
	);
	const capture = useCallback(
		(event: KeyEvent | PasteEvent) => {
			const row = rowAt(rowsNow(), controller.state.getState().form.at);
			const edit = fieldEdit(event);
			if (row?.kind !== 'text' || edit === undefined) return false;
			const field = editField(fieldOf(row.id, row.value), edit);
			if (field.text !== row.value) controller.explain(undefined);
			row.set(field.text);
			edited(row.id, field);
			return true;
		},
		[controller, rowsNow, fieldOf, edited],
	);

	const page = {controller, state, known, jobs, canCompose, keyOf, ...allProblems(controller, state, known)};
	const rows = rowsOf(page, typed);
	const at = rowAt(rows, state.form.at);
	const camera = cameraAt(state, known, at);
	const isTyping = at?.kind === 'text' && state.form.stage.at === 'editing';
	useBindings({id: 'launch', level: 'dialog', modal: true, bindings, ...(isTyping && {text: capture})});

	const wide = Math.min(widest, width);
	const inner = Math.max(1, wide - 2);
	const lineLook = {width: inner, screen};
	const said = [
		...(state.busy ? [words(state.busy, 'accent')] : []),
		...(state.trouble?.split('\n') ?? []).map(line => words(line, 'bad')),
		...(at !== undefined && 'problem' in at && at.problem !== undefined ? [words(at.problem, 'bad')] : []),
		...(at?.kind === 'choice' && at.off !== undefined ? [words(`${at.off}.`, 'warning')] : []),
	];
	const unsaid = {rows, isAt: false, field: undefined, ...lineLook};
	const allSaid = said.flatMap(row => rowLines(row, unsaid));
	const mostSaid = Math.max(4, Math.floor(height / 3));
	const foot =
		allSaid.length > mostSaid
			? [...allSaid.slice(0, mostSaid - 1), {segments: [' ', screen.signs.ellipsis]}]
			: allSaid;
	const lines = rows.flatMap(row => {
		const isAt = row === at;
		const field = isAt && isTyping && row.kind === 'text' ? fieldOf(row.id, row.value) : undefined;
		return rowLines(row, {rows, isAt, field, ...lineLook}).map(line => ({line, row, isAt}));
	});
	const room = Math.max(1, height - 5 - foot.length);
	const selected = Math.max(
		0,
		lines.findIndex(({isAt}) => isAt),
	);
	const {from, to: end} = shownRows({selected, offset: 0}, {count: lines.length, height: room});
	const hasPlace = state.form.step === 'cameras';
	const frames = useFrameRows(controller, camera, {hasPlace, width: inner, rows: room - lines.length, keyOf});
	const below = lines.length - end;
	const pageNumber = `${steps.indexOf(state.form.step) + 1}/${steps.length}`;
	const shown: readonly DialogRow[] = [
		stepsLine(state.form, [...page.problems, ...page.refused], lineLook),
		...lines.slice(from, end).map(({line}) => line),
		...frames,
		...foot,
	];
	const area = useMouseArea({
		id: 'launch',
		level: 'dialog',
		within: 'launch',
		wheel: by => router.run(by > 0 ? 'launch.next' : 'launch.previous'),
		press(pressed) {
			// Below the title and the line of the steps.
			const row = lines.slice(from, end)[pressed - 2]?.row;
			if (row === undefined || !isEntered(row) || state.form.stage.at !== 'editing') return;
			if (row === at) router.run('launch.enter');
			else controller.change(form => rowGone(form, row.id));
		},
	});
	return (
		<Dialog
			title="Launch a fine-tune"
			aside={`${below > 0 ? `${counted(below, 'row')} more below ` : ''}${pageNumber}`}
			width={wide}
			rows={shown}
			screenWidth={width}
			screenHeight={height - 1}
			area={area}
		/>
	);
}
