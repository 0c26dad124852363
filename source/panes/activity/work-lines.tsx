import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {Working} from '../../components/working.tsx';
import {useWork} from '../../hooks/explorer.tsx';
import type {Preparation} from '../../store/state/work.ts';

type PreparationLinesProps = {readonly preparations: readonly Preparation[]; readonly width: number};

const barWidth = 20;

/** Cells before a line: the spinner with a blank on either side. */
const leadWidth = 3;

/** Datasets that are being ingested or sent, a line each with a spinner. */
export function PreparationLines({preparations, width}: PreparationLinesProps): ReactNode {
	const {signs, cell} = useScreen();
	const lines: ReactNode[] = [];
	for (const {subject, step, share, amount} of preparations) {
		// The key is the place: two datasets may have one name.
		lines.push(
			<Box key={lines.length} width={width}>
				<Text> </Text>
				<Working />
				<Text> </Text>
				<Line
					width={Math.max(0, width - leadWidth)}
					segments={[
						cell(subject, Math.min(24, Math.floor(width / 3)), {role: 'strong', cut: 'middle'}),
						' ',
						{
							text: share === undefined ? ' '.repeat(barWidth) : signs.progress(share, barWidth),
							role: 'accent',
						},
						` ${amount} `,
						{text: step, role: 'dim'},
					]}
				/>
			</Box>,
		);
	}
	return lines;
}

/** No more lines are taken from the panes. */
const mostLines = 2;

/** How many lines the work that runs takes. */
export function useWorkRows(): number {
	return Math.min(mostLines, useWork().length);
}

/** Running work, a line each, in every view; the footer names the key that cancels it. */
export function WorkLines({width}: {readonly width: number}): ReactNode {
	return <PreparationLines preparations={useWork().slice(-mostLines)} width={width} />;
}
