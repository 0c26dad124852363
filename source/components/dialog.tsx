import {Box, type DOMElement} from 'ink';
import type {ReactNode, RefObject} from 'react';
import {Line} from './line.tsx';
import {type Row, Rows} from './rows.tsx';
import {rule} from './rule.ts';
import {useScreen} from './screen.tsx';
import {Working} from './working.tsx';

/** A row of a dialog, without its frame. */
export type DialogRow = Omit<Row, 'edge'> & {
	/** Something runs: its second cell turns. At most one row of a dialog. */
	readonly turns?: true;
};

type DialogProps = {
	readonly title: string;
	/** At the right end of the title's line. */
	readonly aside?: string | undefined;
	/** The dialog with its frame, in cells. */
	readonly width: number;
	readonly rows: readonly DialogRow[];
	/** The screen that it stands in the middle of. */
	readonly screenWidth: number;
	readonly screenHeight: number;
	/** Where the dialog hears the mouse: its title's line and its rows. */
	readonly area?: RefObject<DOMElement | null>;
};

/** Rows that lie over the panes, in a frame. */
export function Dialog(props: DialogProps): ReactNode {
	const {title, aside = '', width, rows, screenWidth, screenHeight, area} = props;
	const screen = useScreen();
	const {vertical, heavy} = screen.signs.line;
	const side = {text: vertical, role: 'focus'} as const;
	const inner = Math.max(1, width - 2);
	const left = Math.max(0, Math.floor((screenWidth - width) / 2));
	const turning = rows.findIndex(({turns}) => turns);
	const top = Math.max(0, Math.floor((screenHeight - rows.length - 2) / 2));
	return (
		<Box
			{...(area === undefined ? {} : {ref: area})}
			position="absolute"
			flexDirection="column"
			marginLeft={left}
			marginTop={top}
			width={width}
		>
			<Line
				segments={rule(screen, width, {title: ` ${title} `, right: aside, focused: true})}
				width={width}
			/>
			<Box width={width} height={rows.length}>
				<Box flexDirection="column" width={1}>
					<Rows rows={rows.map(() => ({segments: [side]}))} width={1} />
				</Box>
				<Box flexDirection="column" width={width - 1}>
					<Rows rows={rows.map(row => ({...row, edge: side}))} width={inner} />
				</Box>
				{turning < 0 || screen.drawing.spoken ? null : (
					<Box position="absolute" marginLeft={2} marginTop={turning}>
						<Working />
					</Box>
				)}
			</Box>
			<Line segments={[{text: heavy.repeat(width), role: 'focus'}]} width={width} />
		</Box>
	);
}
