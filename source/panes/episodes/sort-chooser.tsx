import type {ReactNode} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {type EpisodeSort, type SortField, sortFields} from '../../contract/local-explore.ts';
import {metricOf} from '../../contract/metrics.ts';
import {shownWord} from '../../contract/spellings.ts';
import {useExplorer, useExplorerState, useOrdersByDataset} from '../../hooks/explorer.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {columnOf} from './columns.ts';

type SortChooserProps = {readonly width: number; readonly height: number};

/** The metrics to sort by, after the order of the service itself. */
const choices: readonly {readonly by: SortField | undefined}[] = [
	undefined,
	'doubt' as const,
	...sortFields.filter(by => by !== 'doubt'),
].map(by => ({by}));

const nameWidth = 20;
const category = 'Sort';

/** The sort by a metric; chosen once more, it is reversed. */
function nextSort(by: SortField | undefined, before: EpisodeSort | undefined): EpisodeSort | undefined {
	if (by === undefined) return undefined;
	// The bad ones come first.
	const first = metricOf(by)?.better === 'up' ? 'asc' : 'desc';
	if (before?.by !== by) return {by, direction: first};
	return {by, direction: before.direction === 'asc' ? 'desc' : 'asc'};
}

/** Chooses the metric that the episodes are sorted by. */
export function SortChooser(size: SortChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const sort = useExplorerState(state => state.sort);
	const isByDataset = useOrdersByDataset();
	const close = () => explorer.update(overlaid(undefined));
	const list = useChooser({
		id: 'order',
		category,
		noun: 'metric',
		items: () => choices,
		room: size.height - 6,
		bindings: ({current}) => [
			{
				keys: ['enter', 'space'],
				action: 'order.choose',
				description: 'sort; reverse',
				category,
				footer: 1,
				run() {
					const next = nextSort(current()?.by, explorer.state.getState().sort);
					close();
					void explorer.sort.by(next);
				},
			},
			{keys: ['esc', 'q', 'O'], action: 'order.close', description: 'close', category, footer: 2, run: close},
		],
	});
	const {signs} = screen;
	const unsorted = isByDataset
		? {name: 'dataset', description: 'by dataset, then index'}
		: {name: "the service's", description: 'service order'};
	const arrow = sort?.direction === 'asc' ? signs.up : signs.down;
	const isCut = list.to - list.from < choices.length;
	return (
		<ChooserDialog
			list={list}
			title="Sort by"
			aside={isCut ? `${list.from + 1}-${list.to} of ${choices.length}` : ''}
			widest={72}
			{...size}
			row={({by}, width) => {
				const isSort = sort?.by === by;
				const mark = by === undefined ? signs.dot : arrow;
				const description = by === undefined ? unsorted.description : columnOf(by).description;
				return [
					isSort ? `${mark} ` : '  ',
					screen.cell(by === undefined ? unsorted.name : shownWord('sort', by), nameWidth, {
						role: isSort ? 'strong' : 'plain',
					}),
					screen.cell(description, Math.max(0, width - nameWidth - 2), {role: 'dim'}),
				];
			}}
			pressed="order.choose"
		/>
	);
}
