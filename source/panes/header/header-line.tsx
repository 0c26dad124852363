import type {ReactNode} from 'react';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {lineWidth, type Segment} from '../../components/segment.ts';
import {useLocal, useResult} from '../../hooks/explorer.tsx';
import {counted, grouped, span} from '../../terminal/quantity.ts';
import {freshnessLook} from './freshness-look.ts';

type HeaderLineProps = {
	readonly width: number;
	/** What the lake is called. */
	readonly lakeName: string;
};

/** Which lake this is, how fresh what is shown of it, and how much the filter lets through. */
export function HeaderLine({width, lakeName}: HeaderLineProps): ReactNode {
	const screen = useScreen();
	const freshness = useResult(result => result.freshness);
	const totals = useResult(result => result.totals);
	const setAside = useResult(result => result.setAsideCount);
	const isSample = useLocal(({document}) => document?.lake.sample === true);
	const datasets = useLocal(({document}) => document?.lake.datasets);
	const {separator} = screen.signs;

	const name: Segment[] = [
		{text: ' lakescope', role: 'focus'},
		'  ',
		{text: lakeName, role: 'strong'},
		...(isSample ? [' ', {text: ' SAMPLE ', role: 'caret'} as const] : []),
		...(datasets === undefined ? [] : [` ${separator} ${counted(datasets, 'dataset')}`]),
	];
	const amounts =
		totals === undefined
			? []
			: [`${grouped(totals.episodes)} ep`, `${grouped(totals.frames)} frames`, span(totals.seconds)];
	const asides: Segment[] =
		setAside === 0
			? []
			: [{text: `${screen.signs.warning} ${grouped(setAside)} unreadable  `, role: 'warning'}];
	const fresh = freshnessLook(freshness, screen, Date.now());
	// What is least missed goes first where room is short.
	const rights = [amounts, amounts.slice(0, 2), amounts.slice(0, 1), []].map((parts): Segment[] => [
		...asides,
		...fresh,
		...(parts.length > 0 ? [`  ${parts.join(` ${separator} `)}`] : []),
		' ',
	]);
	const right = rights.find(segments => lineWidth(name) + lineWidth(segments) + 2 <= width) ?? fresh;
	const gap = Math.max(1, width - lineWidth(name) - lineWidth(right));
	return <Line segments={[...name, ' '.repeat(gap), ...right]} width={width} />;
}
