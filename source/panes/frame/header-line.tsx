import type {ReactNode} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {lineWidth, type Segment} from '../../components/segment.ts';
import {useExplorerState, useFreshness, useLive, useLocal, useResult} from '../../hooks/explorer.tsx';
import {useNow} from '../../hooks/now.ts';
import type {Explorer} from '../../store/explorer.ts';
import {clockSeconds, counted, grouped, span, yet} from '../../terminal/quantity.ts';
import {freshnessLook, nextAttempt} from '../list/freshness-look.ts';

type HeaderLineProps = {
	readonly width: number;
	/** The name of the lake. */
	readonly lakeName: string;
};

/** The lake's name, the freshness of what shows, and the totals of the filter. */
export function HeaderLine({width, lakeName}: HeaderLineProps): ReactNode {
	const screen = useScreen();
	const freshness = useFreshness();
	const isLive = useLive(({phase}) => phase === 'live');
	const totals = useResult(result => result.totals);
	const setAside = useResult(result => result.setAsideCount);
	const isSample = useLocal(({document}) => document?.lake.sample === true);
	const view = useExplorerState(state => state.view);
	const datasets = useLocal(({document}) => document?.lake.datasets);
	const untrainable = useLocal(({document}) => document?.lake.untrainable ?? 0);
	const isReadOnly = useExplorerState(state => state.readOnly);
	const {separator} = screen.signs;

	const isExplore = view === 'explore';
	const named: Segment[] = [
		{text: ' lakescope', role: 'focus'},
		'  ',
		{text: lakeName, role: 'strong'},
		...(isSample ? [' ', {text: ' SAMPLE ', role: 'caret'} as const] : []),
		...(isReadOnly ? [' ', {text: ' READ-ONLY ', role: 'caret'} as const] : []),
	];
	const held: Segment[] =
		datasets === undefined || !isExplore ? [] : [` ${separator} ${counted(datasets, 'dataset')}`];
	const failing: Segment[] =
		untrainable === 0 || !isExplore
			? []
			: [
					` ${separator} `,
					{text: `${counted(untrainable, 'dataset')} cannot train: videos missing`, role: 'warning'},
				];
	const amounts =
		totals === undefined
			? []
			: [`${grouped(totals.episodes)} ep`, `${grouped(totals.frames)} frames`, span(totals.seconds)];
	const asides: Segment[] =
		setAside === 0
			? []
			: [{text: `${screen.signs.warning} ${grouped(setAside)} unreadable  `, role: 'warning'}];
	const now = useNow('nextAt' in freshness && freshness.nextAt !== undefined);
	const fresh = freshnessLook(freshness, {isLive, screen, now});
	const key = useKeyOf()('explore.refresh');
	const next = nextAttempt(freshness, {now, isLive, key});
	const nextAlone = nextAttempt(freshness, {now, isLive, key: undefined});
	// The least important part goes first when there is no room.
	const choices = [
		{parts: amounts, attempt: next},
		{parts: amounts.slice(0, 2), attempt: next},
		{parts: amounts.slice(0, 1), attempt: next},
		{parts: [], attempt: next},
		{parts: [], attempt: nextAlone},
		{parts: [], attempt: []},
	];
	const rights = choices.map(({parts, attempt}): Segment[] => [
		...asides,
		...fresh,
		...attempt,
		...(parts.length > 0 ? [`  ${parts.join(` ${separator} `)}`] : []),
		' ',
	]);
	const names = [[...named, ...held, ...failing], ...(failing.length > 0 ? [[...named, ...failing]] : [])];
	const least = lineWidth(rights.at(-1) ?? []) + 2;
	const name = names.find(segments => lineWidth(segments) + least <= width) ?? names.at(-1) ?? named;
	const right = rights.find(segments => lineWidth(name) + lineWidth(segments) + 2 <= width) ?? fresh;
	const gap = Math.max(1, width - lineWidth(name) - lineWidth(right));
	return <Line segments={[...name, ' '.repeat(gap), ...right]} width={width} />;
}

/** Refetches the view; says so where the service asked for a pause. */
export function refetchNow(explorer: Explorer): void {
	const notBefore = explorer.refetch();
	const now = Date.now();
	if (notBefore === undefined || notBefore <= now) return;
	const when = `before ${clockSeconds(notBefore)}, in ${yet(notBefore - now)}`;
	explorer.notify('info', `The service asked for no requests ${when}; retrying then.`);
}
