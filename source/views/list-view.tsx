import {Box} from 'ink';
import {type ReactNode, useMemo} from 'react';
import {useExplorer, useExplorerState} from '../hooks/explorer.tsx';
import {useBindings, useFocus, useFocusedPane, useFocusRing} from '../input/react.tsx';
import {useWorkRows, WorkLines} from '../panes/activity/work-lines.tsx';
import {FooterLine} from '../panes/frame/footer-line.tsx';
import {HeaderLine} from '../panes/frame/header-line.tsx';
import {ListField} from '../panes/list/list-field.tsx';
import type {ListId} from '../store/state/list-location.ts';
import type {Size} from './explore-layout.ts';
import {listViewBindings} from './view-bindings.ts';
import {listViews} from './views.ts';

type ListViewProps = {
	readonly list: ListId;
	readonly width: number;
	readonly height: number;
	readonly lakeName: string;
};

/** A view that is a list with the opened row in full. */
export function ListView({list, width, height, lakeName}: ListViewProps): ReactNode {
	const explorer = useExplorer();
	const focus = useFocus();
	const {opened} = useExplorerState(state => state.lists[list]);
	const editing = useExplorerState(state => state.editing);
	useFocusRing(opened ? [list, `${list}-detail`] : [list]);
	// The focus comes a commit after the view: until then the keyboard is the list's.
	const isAtDetail = useFocusedPane() === `${list}-detail`;
	const bindings = useMemo(() => listViewBindings(explorer, focus), [explorer, focus]);
	useBindings({id: `${list}-view`, level: 'view', bindings});

	const field = typeof editing === 'object' && 'list' in editing ? editing : undefined;
	const besides = (field === undefined ? 2 : 3) + useWorkRows();
	const body = {width, height: Math.max(1, height - besides)};
	const layout = listLayout(body, opened);
	const {Pane, Detail, follows = ''} = listViews[list];
	return (
		<Box flexDirection="column" width={width} height={height} overflow="hidden">
			<HeaderLine width={width} lakeName={lakeName} />
			<Box height={body.height} overflow="hidden" flexDirection={layout.detail?.beside ? 'row' : 'column'}>
				{layout.list && <Pane {...layout.list} focused={!isAtDetail || !layout.detail} />}
				{layout.detail && <Detail {...layout.detail} focused={layout.list === undefined || isAtDetail} />}
			</Box>
			{field && (
				<ListField
					key={field.what}
					list={list}
					what={field.what}
					noun={field.what === 'ref' ? 'branch, tag or commit' : follows}
					width={width}
				/>
			)}
			<WorkLines width={width} />
			<FooterLine width={width} />
		</Box>
	);
}

/** The sizes of a list and its detail; one that is absent has no room. */
type ListLayout = {
	readonly list?: Size;
	readonly detail?: Size & {readonly beside: boolean};
};

const besideFrom = 140;
const stackedFrom = 20;

/** Shares a body among a list and its detail: beside it, below it, or in its place where there is no room. */
export function listLayout({width, height}: Size, opened: boolean): ListLayout {
	if (!opened) return {list: {width, height}};
	if (width >= besideFrom) {
		const list = Math.floor(width * 0.5);
		return {list: {width: list, height}, detail: {width: width - list, height, beside: true}};
	}
	if (height < stackedFrom) return {detail: {width, height, beside: false}};
	const rows = Math.max(6, Math.floor(height * 0.35));
	return {list: {width, height: rows}, detail: {width, height: height - rows, beside: false}};
}
