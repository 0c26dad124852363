import {Box} from 'ink';
import {type ReactNode, useMemo} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf} from '../../components/segment.ts';
import {useExplorer, useExplorerState, useOrdersByDataset, useResult} from '../../hooks/explorer.tsx';
import {useMouseArea} from '../../input/react.tsx';
import {print} from '../../query/print.ts';
import {problemAtField} from '../../query/problem-places.ts';
import {isHeldUp} from '../../store/queries/explore-result.ts';
import {settled} from '../../store/state/list-location.ts';
import {edited} from '../../store/state/transitions.ts';
import {grouped} from '../../terminal/quantity.ts';
import {FilterField} from './filter-field.tsx';
import {ProblemLines} from './problem-lines.tsx';
import {sortWords} from './sort-words.ts';

type FilterLineProps = {
	readonly width: number;
	/** Rows from the line to the bottom of the screen, the footer apart. */
	readonly height: number;
};

/** The whole filter in one line, and where in its result the reader is. */
export function FilterLine({width, height}: FilterLineProps): ReactNode {
	const isEdited = useExplorerState(state => state.editing === 'filter');
	return isEdited ? (
		<FilterField width={width} height={height} />
	) : (
		<FilterText width={width} height={height} />
	);
}

function FilterText({width, height}: FilterLineProps): ReactNode {
	const explorer = useExplorer();
	const {signs, cell, drawing} = useScreen();
	const filter = useExplorerState(state => state.filter);
	const position = useExplorerState(state => state.position);
	const keptRows = useExplorerState(state => state.keptRows.length);
	const rowCount = useResult(result => result.rowCount);
	const order = useResult(result => result.order);
	const facets = useResult(result => result.facets);
	const isPrevious = useResult(result => result.isPrevious);
	const isUnanswered = useResult(isHeldUp);
	const refused = useResult(result => result.refused);
	const text = useMemo(() => print(filter), [filter]);

	const area = useMouseArea({
		id: 'filter-line',
		level: 'view',
		press: () => explorer.update(edited('filter')),
	});

	const {selected} = settled(position, {count: rowCount, height: 1});
	const place = rowCount === 0 ? '' : `${grouped(selected + 1)} of ${grouped(rowCount)} ${signs.separator} `;
	const off = keptRows === 0 ? '' : `${keptRows} off ${signs.separator} `;
	const isByDataset = useOrdersByDataset();
	const words = sortWords({order, filter, facets, rowCount, signs, isByDataset});
	const waiting = isUnanswered
		? ['not applied: no answer yet; rows of the previous filter ', 'not applied yet ']
		: [`filtering${signs.ellipsis} `];
	const wheres = isPrevious ? waiting : words.map(each => `${off}${place}${each} `);
	// The filter itself is cut before the order is, but not to nothing.
	const enough = Math.min(cellsOf(text), Math.floor(width / 3));
	const where = wheres.find(each => width - cellsOf(each) - 4 >= enough) ?? wheres.at(-1) ?? '';
	const rest = width - cellsOf(where) - 4;
	const filterKey = useKeyOf()('explore.filter');
	const hint = filterKey === undefined ? '' : `; press ${filterKey} to filter`;
	const line = text === '' ? ({text: `everything${hint}`, role: 'dim'} as const) : text;
	const shown =
		typeof line === 'string'
			? cell(line, Math.max(0, rest))
			: cell(line.text, Math.max(0, rest), {role: 'dim'});
	const problem = refused.map(part => problemAtField(text, part)).find(found => found !== undefined);
	return (
		<>
			<Box ref={area}>
				<Line
					segments={[
						{text: ' / ', role: 'accent'},
						shown,
						' ',
						...(rest > 4 ? [{text: where, role: isUnanswered ? 'warning' : 'dim'} as const] : []),
					]}
					width={width}
				/>
			</Box>
			{problem && (
				<ProblemLines
					problem={problem}
					column={3 + Math.min(cellsOf(text.slice(0, problem.offset), drawing.ascii), Math.max(0, rest))}
					width={width}
					height={height - 1}
				/>
			)}
		</>
	);
}
