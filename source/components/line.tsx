import {Text} from 'ink';
import {memo, type ReactNode} from 'react';
import {useScreen} from './screen.tsx';
import {renderLine, type Segment} from './segment.ts';
import type {Role} from './theme.ts';

type LineProps = {
	readonly segments: readonly Segment[];
	/** Cells; what is longer is cut. */
	readonly width: number;
	/** Look of the whole line, over its whole width. */
	readonly look?: Role | undefined;
	/** One cell more behind the line, of a look of its own: the border of a pane. */
	readonly edge?: Segment | undefined;
};

/** One row of the screen, one text node. Everything the explorer writes goes through here. */
export function Line({segments, width, look, edge}: LineProps): ReactNode {
	const {drawing} = useScreen();
	if (edge === undefined) return <Drawn text={renderLine(segments, width, {...drawing, role: look})} />;
	const filled = renderLine(segments, width, {...drawing, role: look ?? 'plain'});
	return <Drawn text={filled + renderLine([edge], 1, drawing)} />;
}

/** Apart, so that a row that comes out the same is not laid out again. */
const Drawn = memo(function Drawn({text}: {readonly text: string}): ReactNode {
	// An empty text node has no height; the row would be missing.
	return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
