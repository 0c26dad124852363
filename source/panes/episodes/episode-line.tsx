import {memo, type ReactNode} from 'react';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Row} from '../../store/queries/explore-result.ts';
import {episodeRow, type FittedColumn, type RowMark, type RowPick} from './episode-row.ts';

type EpisodeLineProps = {
	readonly row: Row;
	readonly index: number;
	readonly columns: readonly FittedColumn[];
	readonly gap: number;
	readonly mark: RowMark;
	readonly pick: RowPick;
	readonly width: number;
};

/** A row of the table. As the selection moves, two of them are put together again and the rest is left as it was. */
export const EpisodeLine = memo(function EpisodeLine({
	row,
	width,
	mark,
	...rest
}: EpisodeLineProps): ReactNode {
	const screen = useScreen();
	const look = mark === 'selected' ? 'selected' : mark === 'idle' ? 'strong' : undefined;
	return <Line segments={episodeRow(row, {...rest, mark, screen})} width={width} look={look} />;
});
