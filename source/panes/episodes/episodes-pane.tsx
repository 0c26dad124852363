import {Box} from 'ink';
import {type ReactNode, useLayoutEffect, useMemo} from 'react';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {useListMouse} from '../../hooks/list-position.ts';
import {useBindings, useFocus} from '../../input/react.tsx';
import type {Row} from '../../store/queries/explore-result.ts';
import {isNothing, markOf, rowsOfRange} from '../../store/selection/selection.ts';
import {settled, shownRows} from '../../store/state/list-location.ts';
import {moved} from '../../store/state/transitions.ts';
import {columnOf, shownColumns} from './columns.ts';
import {EmptyResult} from './empty-result.tsx';
import {EpisodeLine} from './episode-line.tsx';
import {episodeHead, fitColumns, type RowPick} from './episode-row.ts';
import {episodesBindings} from './episodes-bindings.ts';
import {useEvidenceColumns} from './evidence-columns.ts';

type EpisodesPaneProps = {readonly width: number; readonly height: number; readonly focused: boolean};

/** The table of episodes: a window over the whole result, its rows found by arithmetic. */
export function EpisodesPane({width, height, focused}: EpisodesPaneProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const focus = useFocus();
	const copy = useCopy();
	const result = useResult(whole => whole);
	const position = useExplorerState(state => state.position);
	const ownColumns = useExplorerState(state => state.columns);
	const sort = useExplorerState(state => state.sort);
	const chosen = useMemo(() => shownColumns(ownColumns, sort, width), [ownColumns, sort, width]);
	const shift = useExplorerState(state => state.columnShift);

	const keepsReviews = useLocal(({isOther}) => isOther);
	const shownCount = Math.max(0, height - 1);
	const bindings = useMemo(
		() => episodesBindings({explorer, focus, copy, rows: shownCount, columns: chosen.length, keepsReviews}),
		[explorer, focus, copy, shownCount, chosen, keepsReviews],
	);
	useBindings({id: 'episodes', level: 'pane', active: focused, bindings});

	const picks = useRowPicks();
	const gutter = picks === undefined ? 1 : 2;
	const gap = width >= 90 ? 2 : 1;
	const evidence = useEvidenceColumns();
	const {fitted, hidden} = useMemo(() => {
		const [index, dataset, ...rest] = chosen.map(columnOf);
		// The columns of the filter's predicates come before the rest.
		const columns = [index, dataset, ...evidence, ...rest].filter(column => column !== undefined);
		return fitColumns(columns, width - gutter, {gap, shift});
	}, [chosen, evidence, width, gutter, gap, shift]);

	const extent = {count: result.rowCount, height: shownCount};
	const {selected} = settled(position, extent);
	const {from, to} = shownRows(position, extent);
	useLayoutEffect(() => {
		explorer.window.show(from, Math.max(from, from + shownCount - 1));
	}, [explorer, from, shownCount]);

	const area = useListMouse({
		id: 'episodes',
		level: 'pane',
		head: 1,
		from,
		count: to,
		chosen: focused ? selected : undefined,
		move: step => explorer.update(moved(before => step(before, extent))),
		focus: () => focus.focus('episodes'),
		open: () => focus.focus('detail'),
	});

	const lines: ReactNode[] = [];
	for (let index = from; index < to; index++) {
		const mark = index === selected ? (focused ? 'selected' : 'idle') : undefined;
		const row = result.row(index);
		const look = {mark, pick: picks?.(row, index), columns: fitted, gap, width} as const;
		// The key is the place on the screen, not what stands there: scrolling changes texts and mounts nothing.
		lines.push(<EpisodeLine key={index - from} row={row} index={index} {...look} />);
	}
	const head = episodeHead(fitted, {width, gap, hidden, focused, gutter, screen});
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Line segments={head} width={width} />
			{result.rowCount === 0 ? <EmptyResult width={width} height={shownCount} /> : lines}
		</Box>
	);
}

/** True if a row is selected; undefined while nothing is, so that the marks take no room. */
function useRowPicks(): ((row: Row, index: number) => RowPick) | undefined {
	const selection = useExplorerState(state => state.selection);
	const range = useExplorerState(state => state.range);
	const position = useExplorerState(state => state.position);
	const question = useResult(result => result.question);
	const rowCount = useResult(result => result.rowCount);
	const isMarked = useMemo(() => markOf(selection, question), [selection, question]);
	if (isNothing(selection) && range === undefined) return undefined;
	const rows = rowsOfRange({range, position}, rowCount);
	return (row, index) => {
		if (rows !== undefined && index >= rows.from && index <= rows.to) return 'ranged';
		return typeof row === 'object' && isMarked(row) ? 'picked' : 'free';
	};
}
