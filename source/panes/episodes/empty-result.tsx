import {Box} from 'ink';
import type {ReactNode} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplained, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {print} from '../../query/print.ts';
import {isMoving} from '../../store/local-watch.ts';
import {printableLines} from '../../terminal/printable.ts';
import {emptyWords} from './empty-words.ts';

/** What stands where the episodes would, while there are none: why, and the way on. */
export function EmptyResult({width, height}: {readonly width: number; readonly height: number}): ReactNode {
	const {drawing} = useScreen();
	const freshness = useResult(result => result.freshness);
	const isPreparing = useLocal(isMoving);
	const filter = useExplorerState(state => print(state.filter));
	const explained = useExplained();
	const keyOf = useKeyOf();
	const rows: Row[] = emptyWords(freshness, {filter, isPreparing, explained, keyOf}).flatMap(({text, role}) =>
		printableLines(text, Math.max(1, width - 4), drawing).map(line => ({
			segments: ['  ', {text: line, role}],
		})),
	);
	return (
		<Box
			flexDirection="column"
			paddingTop={height > 4 ? 1 : 0}
			width={width}
			height={height}
			overflow="hidden"
		>
			<Rows rows={rows} width={width} />
		</Box>
	);
}
