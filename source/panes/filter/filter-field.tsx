import {type ReactNode, useEffect, useMemo} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf} from '../../components/segment.ts';
import {useExplorer, useResult} from '../../hooks/explorer.tsx';
import {useCounted, useDistribution, useOffers} from '../../hooks/filter-line.ts';
import {useLatestState} from '../../hooks/latest-state.ts';
import {fieldEdit, type LineField} from '../../input/line-field.ts';
import {lineWindow} from '../../input/line-window.ts';
import {useBindings} from '../../input/react.tsx';
import {complete} from '../../query/complete.ts';
import {figureAt} from '../../query/figure-at.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {KeyEvent, PasteEvent} from '../../terminal/input-event.ts';
import {CandidateList} from './candidate-list.tsx';
import {countWords} from './count-words.ts';
import {distributionLines} from './distribution-words.ts';
import {lineBindings} from './line-bindings.ts';
import {edited, isListShown, type LineEditor, lineEditor} from './line-editor.ts';
import {ProblemLines} from './problem-lines.tsx';
import {shownProblem} from './shown-problem.ts';

const prompt = ' / ';

/** With a filter there, one more term is what is typed most. */
function opened({filterLine, state}: Explorer): LineEditor {
	const before = filterLine.draft.getState() ?? print(state.getState().filter);
	return lineEditor(before === '' ? '' : `${before} `);
}

/** The editor, and the filter line told of what is typed. */
function useEditor(explorer: Explorer) {
	const {drawn, now, change} = useLatestState(() => opened(explorer));
	const told = useMemo(
		() => (step: (editor: LineEditor) => LineEditor) => {
			const {before, after} = change(step);
			const {text, caret} = after.field;
			const isChanged = text !== before.field.text;
			if (isChanged) explorer.filterLine.keepTyping();
			if (isChanged || caret !== before.field.caret) explorer.filterLine.typed(text, caret, isChanged);
		},
		[explorer, change],
	);
	useEffect(() => {
		const {filterLine} = explorer;
		filterLine.open();
		return () => filterLine.close();
	}, [explorer]);
	return {editor: drawn, now, change: told};
}

type FilterFieldProps = {
	readonly width: number;
	/** Rows from the line to the bottom of the screen, the footer apart. */
	readonly height: number;
};

/**
 * The filter while it is typed: what fits at the caret, what cannot be read, how many episodes it would let through,
 * and how the figure at the caret lies. Enter applies it, Esc leaves the filter as it was.
 */
export function FilterField({width, height}: FilterFieldProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const counted = useCounted();
	const distribution = useDistribution();
	const offers = useOffers();
	const total = useResult(result => result.totals?.episodes);
	const {editor, now, change} = useEditor(explorer);
	const bindings = useMemo(() => lineBindings({explorer, now, change}), [explorer, now, change]);
	function capture(event: KeyEvent | PasteEvent): boolean {
		const edit = fieldEdit(event);
		if (edit !== undefined) change(from => edited(from, edit));
		return edit !== undefined;
	}
	useBindings({id: 'filter', level: 'dialog', modal: true, bindings, text: capture});

	const {field} = editor;
	const read = useMemo(() => parse(field.text), [field.text]);
	const isShown = isListShown(editor);
	const {span, candidates} = useMemo(() => {
		// Counts and offers come later than what is typed.
		void [counted, offers];
		return complete(field.text, field.caret, explorer.filterLine.offered());
	}, [explorer, field.text, field.caret, counted, offers]);
	const isOffered = isShown && candidates.length > 0 && !editor.isRefused;
	const problem = shownProblem(field, read, {counted, datasets: explorer.filterLine.datasets, isOffered});

	const words = countWords(counted, {isReadable: read.ok, total});
	const side = width >= 50 ? Math.max(16, cellsOf(words) + 1) : 0;
	const room = width - prompt.length - side;
	const columnOf = (offset: number) => columnIn(field, offset, room, screen.drawing.ascii);
	const problemRows = problem === undefined ? 0 : 2;
	const at = figureAt(field.text, field.caret);
	const bars = at && distribution ? distributionLines(distribution, at.threshold, {screen, width}) : [];
	const barRows = bars.map((segments): Row => ({segments, look: 'plain'}));
	const listRows = height - 1 - problemRows - barRows.length;
	return (
		<>
			<Line
				segments={[
					{text: prompt, role: 'focus'},
					...padded(fieldSegments(field, room, screen), room, screen.drawing.ascii),
					...(side > 0 ? [screen.cell(words, side, {align: 'right', role: 'dim'})] : []),
				]}
				width={width}
				look="plain"
			/>
			{problem === undefined ? null : (
				<ProblemLines
					problem={problem}
					column={columnOf(problem.offset ?? 0)}
					width={width}
					height={Math.max(1, height - 2)}
				/>
			)}
			{isOffered ? (
				<CandidateList
					candidates={candidates}
					chosen={editor.chosen}
					column={columnOf(span.start)}
					width={width}
					height={listRows}
				/>
			) : null}
			{barRows.length > 0 ? <Rows rows={barRows} width={width} /> : null}
		</>
	);
}

/** The cell of the screen that a place of the text shows in, or would if the caret stood there. */
function columnIn(field: LineField, offset: number, room: number, ascii: boolean): number {
	const cells = Math.max(1, room - 2);
	const {column, isCutLeft} = lineWindow(field, cells, {ascii});
	if (offset === field.caret) return prompt.length + column + (isCutLeft ? 1 : 0);
	const {column: other, isCutLeft: isOtherCut} = lineWindow({...field, caret: offset}, cells, {ascii});
	if (!isCutLeft && !isOtherCut) return prompt.length + other;
	const between = field.text.slice(Math.min(offset, field.caret), Math.max(offset, field.caret));
	const distance = between.length > cells ? cells : cellsOf(between, ascii);
	const moved = offset < field.caret ? column - distance : column + distance;
	return prompt.length + Math.max(0, Math.min(cells, moved)) + (isCutLeft ? 1 : 0);
}

/** Segments filled to so many cells, so that what stands at the line's end stays there. */
function padded(segments: ReturnType<typeof fieldSegments>, width: number, ascii: boolean) {
	const taken = segments.reduce(
		(sum, segment) => sum + cellsOf(typeof segment === 'string' ? segment : segment.text, ascii),
		0,
	);
	return [...segments, ' '.repeat(Math.max(0, width - taken))];
}
