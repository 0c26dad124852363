import type {ReactNode} from 'react';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useWork} from '../../hooks/explorer.tsx';
import type {Preparation} from '../../store/state/work.ts';

type PreparationLinesProps = {readonly preparations: readonly Preparation[]; readonly width: number};

const barWidth = 20;

/** Datasets that are being ingested, a line each. */
export function PreparationLines({preparations, width}: PreparationLinesProps): ReactNode {
	const {signs, cell} = useScreen();
	const rows = preparations.map(
		({subject, step, share, amount}): Row => ({
			segments: [
				{text: ` ${signs.ring} `, role: 'accent'},
				cell(subject, Math.min(24, Math.floor(width / 3)), {role: 'strong', cut: 'middle'}),
				' ',
				{text: share === undefined ? ' '.repeat(barWidth) : signs.progress(share, barWidth), role: 'accent'},
				` ${amount} `,
				{text: step, role: 'dim'},
			],
		}),
	);
	return <Rows rows={rows} width={width} />;
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
