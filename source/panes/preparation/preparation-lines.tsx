import type {ReactNode} from 'react';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Preparation} from '../../store/preparation.ts';

type PreparationLinesProps = {readonly preparations: readonly Preparation[]; readonly width: number};

const barWidth = 20;

/** What is on its way into the lake, a line each, while it is. */
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
