import {Box} from 'ink';
import {lazy, type ReactNode, Suspense, useMemo} from 'react';
import {useExplorer, useExplorerState, useLocal} from '../hooks/explorer.tsx';
import {useBindings, useFocus, useFocusedPane, useFocusRing} from '../input/react.tsx';
import {useBesideRows} from '../panes/activity/beside-panes.tsx';
import {PreparationLines, useWorkRows, WorkLines} from '../panes/activity/work-lines.tsx';
import {EpisodesPane} from '../panes/episodes/episodes-pane.tsx';
import {FacetsPane} from '../panes/facets/facets-pane.tsx';
import {FilterLine} from '../panes/filter/filter-line.tsx';
import {FooterLine} from '../panes/frame/footer-line.tsx';
import {HeaderLine} from '../panes/frame/header-line.tsx';
import {SelectionBar, useHasSelection} from '../panes/selection/selection-bar.tsx';
import {DetailPane} from '../panes/series/detail-pane.tsx';
import type {ExplorerSession} from '../store/explorer-session.ts';
import {preparations} from '../store/state/work.ts';
import {exploreBindings} from './explore-bindings.ts';
import {type ExploreLayout, type ExplorePane, exploreLayout, explorePanes} from './explore-layout.ts';

type ExploreViewProps = Pick<ExplorerSession, 'lakeName'> & {readonly width: number; readonly height: number};

/** Rows of the header, the filter and the footer. */
const frameRows = 3;

/** The lake: facets, episodes and the selected one, with the filter above. */
export function ExploreView({width, height, lakeName}: ExploreViewProps): ReactNode {
	const explorer = useExplorer();
	const focus = useFocus();
	const focused = (useFocusedPane() ?? 'episodes') as ExplorePane;
	const isZoomed = useExplorerState(state => state.zoomed);
	useFocusRing(explorePanes);
	const bindings = useMemo(() => exploreBindings(explorer, focus), [explorer, focus]);
	useBindings({id: 'explore', level: 'view', bindings});

	const local = useLocal(known => known);
	const hasSelection = useHasSelection();
	const workRows = useWorkRows();
	const roomBeside = useBesideRows({width, height});
	const besideRows = isZoomed ? 0 : roomBeside;
	const preparing = useMemo(() => {
		// An ingest that the uploads pane shows is not repeated here.
		const told = besideRows > 0 ? {...local, ingests: []} : local;
		return preparations(told).slice(0, Math.floor(height / 6));
	}, [local, besideRows, height]);
	const besides = frameRows + preparing.length + workRows + besideRows + (hasSelection ? 1 : 0);
	const body = {width, height: Math.max(1, height - besides)};
	const layout = exploreLayout(body, {focused, zoomed: isZoomed});
	return (
		<Box flexDirection="column" width={width} height={height} overflow="hidden">
			<HeaderLine width={width} lakeName={lakeName} />
			<Box height={1} />
			<Body layout={layout} focused={focused} height={body.height} />
			{hasSelection ? <SelectionBar width={width} /> : null}
			{besideRows > 0 ? <Beside width={width} height={besideRows} /> : null}
			<PreparationLines preparations={preparing} width={width} />
			<WorkLines width={width} />
			<FooterLine width={width} />
			{/* Last, so that completions and problems of a filter lie over the panes. */}
			<Box position="absolute" marginTop={1} width={width} flexDirection="column">
				<FilterLine width={width} height={height - 2} />
			</Box>
		</Box>
	);
}

/** Rarely needed at a start: loaded when there is something to draw. */
const BesidePanes = lazy(async () => ({
	default: (await import('../panes/activity/beside-panes.tsx')).BesidePanes,
}));

/** Uploads and jobs below the lake, in the rows reserved for them. */
function Beside(size: {readonly width: number; readonly height: number}): ReactNode {
	return (
		<Box {...size}>
			<Suspense>
				<BesidePanes {...size} />
			</Suspense>
		</Box>
	);
}

function Body({
	layout,
	focused,
	height,
}: {
	layout: ExploreLayout;
	focused: ExplorePane;
	height: number;
}): ReactNode {
	const {facets, episodes, detail} = layout;
	const isBelow = detail !== undefined && episodes !== undefined && !detail.beside;
	const meets = isBelow ? [episodes.height] : [];
	const isAlone = episodes === undefined && detail === undefined;
	return (
		<Box height={height} overflow="hidden">
			{facets && (
				<FacetsPane {...facets} focused={focused === 'facets'} meets={isAlone ? undefined : meets} />
			)}
			<Box flexDirection={isBelow ? 'column' : 'row'}>
				{episodes && <EpisodesPane {...episodes} focused={focused === 'episodes'} />}
				{detail && <DetailPane {...detail} focused={focused === 'detail'} />}
			</Box>
		</Box>
	);
}
