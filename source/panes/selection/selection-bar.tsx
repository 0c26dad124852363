import type {ReactNode} from 'react';
import {keyWords, useKeyOf} from '../../components/key-words.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Signs} from '../../components/signs.ts';
import {useExplorerState, useResult, useSelectionKnown} from '../../hooks/explorer.tsx';
import {hiddenSentence} from '../../store/selection/holding.ts';
import {asksForSame, isNothing, rowsOfRange, type Selection} from '../../store/selection/selection.ts';
import type {DatasetCount, SelectionKnown} from '../../store/selection/selection-summary.ts';
import type {Shares} from '../../store/selection/summary.ts';
import {counted, grouped, span} from '../../terminal/quantity.ts';

const rangeWays = [
	['selection.pick', 'includes them'],
	['selection.range', 'excludes them'],
] as const;

/** True if the bar shows. */
export function useHasSelection(): boolean {
	return useExplorerState(({selection, range}) => range !== undefined || !isNothing(selection));
}

/** The summary of the selection, in one line. */
export function SelectionBar({width}: {readonly width: number}): ReactNode {
	const {signs} = useScreen();
	const selection = useExplorerState(state => state.selection);
	const range = useExplorerState(state => state.range);
	const position = useExplorerState(state => state.position);
	const rowCount = useResult(result => result.rowCount);
	const question = useResult(result => result.question);
	const known = useSelectionKnown();
	const rows = rowsOfRange({range, position}, rowCount);
	const keyOf = useKeyOf();
	const marking: readonly Segment[] =
		rows === undefined
			? []
			: [
					{text: ` ${signs.partly} `, role: 'accent'},
					[counted(rows.to - rows.from + 1, 'row'), keyWords(keyOf, rangeWays).join(', ')]
						.filter(Boolean)
						.join(': '),
				];
	const isShown = selection.by === 'hand' || asksForSame(selection.question, question);
	const selected = isNothing(selection) ? [] : selectionWords(selection, known, {isShown, signs});
	return <Line segments={[...marking, ...selected]} width={width} />;
}

/** The summary of a selection, most important first: a narrow screen cuts the end. */
function selectionWords(
	selection: Selection,
	{summary, datasets, hidden}: SelectionKnown,
	{isShown, signs}: {isShown: boolean; signs: Signs},
): readonly Segment[] {
	const head: Segment = {text: ` ${signs.check.on} `, role: 'accent'};
	const whose = wordsOfKind(selection, isShown);
	if (summary === undefined) return [head, `${whose}${signs.ellipsis}`];
	const {episodes, seconds, tasks, embodiments} = summary;
	const parts: Segment[] = [
		{text: `${whose}${counted(episodes, 'episode')}`, role: 'strong'},
		...hiddenShare(hidden, signs),
		...(datasets === undefined ? [] : [datasetWords(datasets)]),
		...embodimentWords(embodiments, signs),
		span(seconds),
		...taskWords(tasks),
	];
	return [head, ...parts.flatMap((part, place) => (place === 0 ? [part] : [` ${signs.separator} `, part]))];
}

function hiddenShare(hidden: SelectionKnown['hidden'], signs: Signs): readonly Segment[] {
	if (hidden === undefined || hidden === 'unknown' || hidden.count === 0) return [];
	return [{text: `${signs.warning} ${grouped(hidden.count)} hidden by the filter`, role: 'warning'}];
}

/** Warns of selected episodes that the filter hides; undefined if there are none. */
export function hiddenWords(selection: Selection, {hidden}: SelectionKnown): string | undefined {
	if (isNothing(selection)) return undefined;
	if (hidden === undefined) return 'Checking which of them the current filter hides.';
	if (hidden === 'unknown') return hiddenSentence(undefined);
	return hidden.count === 0 ? undefined : hiddenSentence(hidden);
}

function wordsOfKind(selection: Selection, isShown: boolean): string {
	if (selection.by === 'hand') return '';
	const {size} = selection.except;
	const but = size === 0 ? '' : ` but ${grouped(size)}`;
	return isShown ? `all that match${but}: ` : `all of another filter${but}: `;
}

function datasetWords({count, isMore}: DatasetCount): string {
	return isMore ? `${grouped(count)} datasets or more` : counted(count, 'dataset');
}

/** Episodes of several embodiments cannot be trained on together: they are marked by a sign, besides the colour. */
function embodimentWords({known, others}: Shares, signs: Signs): readonly Segment[] {
	const words = counted(known, 'layout');
	if (known > 1n) return [{text: `${signs.warning} ${words}`, role: 'warning'}];
	if (known === 0n) return [];
	return others > 0n
		? [{text: `${signs.warning} ${words}, ${grouped(others)} without`, role: 'warning'}]
		: [words];
}

function taskWords({values, others, isWhole}: Shares): readonly string[] {
	const words = values.map(({value, count}) => `${value} ${grouped(count)}`);
	if (others === 0n) return words;
	return [...words, `${isWhole ? 'no task' : 'other tasks'} ${grouped(others)}`];
}
