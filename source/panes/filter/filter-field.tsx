import {Box} from 'ink';
import {type ReactNode, useEffect, useMemo} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {Count} from '../../contract/scalars.ts';
import {useCounted, useDistribution, useExplorer, useOffers, useResult} from '../../hooks/explorer.tsx';
import {useLatestState} from '../../hooks/latest-state.ts';
import {fieldEdit, type LineField} from '../../input/line-field.ts';
import {lineWindow} from '../../input/line-window.ts';
import {useBindings} from '../../input/react.tsx';
import {complete} from '../../query/complete.ts';
import {figureAt} from '../../query/figure-at.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {Candidate} from '../../query/term.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {Counted} from '../../store/filter/live-count.ts';
import type {KeyEvent, PasteEvent} from '../../terminal/input-event.ts';
import {grouped} from '../../terminal/quantity.ts';
import {distributionLines} from './distribution-words.ts';
import {lineBindings} from './line-bindings.ts';
import {edited, isListShown, type LineEditor, lineEditor} from './line-editor.ts';
import {ProblemLines, shownProblem} from './problem-lines.tsx';

const prompt = ' / ';

/** Begins behind the current filter, where the next term is typed. */
function opened({filterLine, state}: Explorer): LineEditor {
	const before = filterLine.draft.getState() ?? print(state.getState().filter);
	return lineEditor(before === '' ? '' : `${before} `);
}

/** The editor; every change reaches the filter line. */
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
 * The filter while it is typed: completions at the caret, errors, the number of episodes that would match, and the
 * distribution of the metric at the caret. Enter applies it, Esc cancels.
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
		// Counts and offers arrive after the text.
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

/** The column of an offset of the text, or the column it would have if the caret were there. */
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

/** Segments padded to `width` cells, so that the end of the line does not move. */
function padded(segments: ReturnType<typeof fieldSegments>, width: number, ascii: boolean) {
	const taken = segments.reduce(
		(sum, segment) => sum + cellsOf(typeof segment === 'string' ? segment : segment.text, ascii),
		0,
	);
	return [...segments, ' '.repeat(Math.max(0, width - taken))];
}

type CandidateListProps = {
	readonly candidates: readonly Candidate[];
	readonly chosen: number | undefined;
	/** The cell where the text that they replace begins. */
	readonly column: number;
	readonly width: number;
	/** Rows available. */
	readonly height: number;
};

/** Rows of the list at most. */
const mostRows = 8;

const widestLabel = 46;
const widestWhat = 44;

/** Completions at the caret, below the line. */
function CandidateList({candidates, chosen, column, width, height}: CandidateListProps): ReactNode {
	const {cell, signs} = useScreen();
	const count = Math.min(candidates.length, mostRows, height);
	if (count < 1) return null;
	const from = Math.max(0, Math.min((chosen ?? 0) - Math.floor(count / 2), candidates.length - count));
	const shown = candidates.slice(from, from + count);
	const longest = (texts: readonly string[], most: number) =>
		Math.min(
			most,
			texts.reduce((cells, text) => Math.max(cells, cellsOf(text)), 0),
		);
	const counts = shown.map(each => (each.count === undefined ? '' : grouped(each.count)));
	const countCells = longest(counts, 12);
	const labelCells = longest(
		shown.map(({label}) => label),
		Math.min(widestLabel, width - countCells - 4),
	);
	const room = width - labelCells - countCells - (countCells > 0 ? 5 : 4);
	const whatCells = Math.max(
		0,
		Math.min(
			longest(
				shown.map(({what}) => what),
				widestWhat,
			),
			room,
		),
	);
	const taken = labelCells + whatCells + countCells + (whatCells > 0 ? 2 : 0) + (countCells > 0 ? 2 : 0) + 3;
	const isMore = candidates.length > count;
	const rows = shown.map((candidate, row): Row => {
		const isChosen = from + row === chosen;
		const segments: Segment[] = [
			isChosen ? signs.pointer : {text: signs.line.vertical, role: 'focus'},
			cell(candidate.label, labelCells, {role: isChosen ? 'strong' : 'accent', cut: 'middle'}),
		];
		if (whatCells > 0) segments.push('  ', cell(candidate.what, whatCells, {role: 'dim'}));
		if (countCells > 0) segments.push('  ', cell(counts[row] ?? '', countCells, {align: 'right'}));
		const edge = isMore && row === count - 1 && from + count < candidates.length ? signs.down : ' ';
		segments.push(isMore && row === 0 && from > 0 ? signs.up : edge);
		return {segments, look: isChosen ? 'selected' : 'plain'};
	});
	const left = Math.max(0, Math.min(column - 1, width - taken));
	return (
		<Box marginLeft={left} width={Math.min(taken, width)} flexDirection="column">
			<Rows rows={rows} width={Math.min(taken, width)} />
		</Box>
	);
}

/** The number of episodes that the typed line would match, in a few words. */
function countWords(
	counted: Counted,
	{isReadable, total}: {readonly isReadable: boolean; readonly total: Count | undefined},
): string {
	if (!isReadable) return '';
	switch (counted.state) {
		case 'none':
			return total === undefined ? '' : `${grouped(total)} match `;
		case 'counting':
			return counted.last === undefined ? 'counting ' : `${grouped(counted.last)}? counting `;
		case 'counted':
			return `${grouped(counted.total)} match `;
		case 'unknown-datasets':
		case 'refused':
			return '';
	}
}
