import {type ReactNode, useMemo} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {type EpisodeSort, type SortField, sortFields} from '../../contract/local-explore.ts';
import {metricOf} from '../../contract/metrics.ts';
import {shownWord} from '../../contract/spellings.ts';
import {useExplorer, useExplorerState, useOrdersByDataset} from '../../hooks/explorer.tsx';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {movementBindings} from '../list/movement.ts';
import {columnOf} from './columns.ts';

type OrderChooserProps = {readonly width: number; readonly height: number};

/** What there is to order by: a figure, or what the service itself orders by. */
const choices: readonly (SortField | undefined)[] = [
	undefined,
	'doubt',
	...sortFields.filter(by => by !== 'doubt'),
];

const widest = 72;
const nameWidth = 20;
const category = 'Sort';

/** The order by a figure; chosen once more, it is turned round. */
function nextOrder(by: SortField | undefined, before: EpisodeSort | undefined): EpisodeSort | undefined {
	if (by === undefined) return undefined;
	// The bad ones come first.
	const first = metricOf(by)?.better === 'up' ? 'asc' : 'desc';
	if (before?.by !== by) return {by, direction: first};
	return {by, direction: before.direction === 'asc' ? 'desc' : 'asc'};
}

/** By which figure the episodes are ordered. */
export function OrderChooser({width, height}: OrderChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const sort = useExplorerState(state => state.sort);
	const isByDataset = useOrdersByDataset();
	const unordered = isByDataset ? 'by dataset, then index' : 'service order';
	const rows = Math.max(1, Math.min(choices.length, height - 6));
	const extent = {count: choices.length, height: rows};
	const {position, now, move} = useListPosition(extent);

	const bindings = useMemo<readonly Binding[]>(() => {
		const close = () => explorer.update(overlaid(undefined));
		const choose = () => {
			const next = nextOrder(choices[now().selected], explorer.state.getState().sort);
			close();
			void explorer.order.by(next);
		};
		return [
			{
				keys: ['enter', 'space'],
				action: 'order.choose',
				description: 'sort; reverse',
				category,
				footer: 1,
				run: choose,
			},
			{keys: ['esc', 'q', 'O'], action: 'order.close', description: 'close', category, footer: 2, run: close},
			...movementBindings({name: 'order', category, noun: 'figure', move}),
		];
	}, [explorer, now, move]);
	useBindings({id: 'order', level: 'dialog', modal: true, bindings});

	const {selected} = position;
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'order',
		level: 'dialog',
		within: 'order',
		head: 1,
		from,
		count: to,
		chosen: selected,
		move,
		open: () => {
			explorer.update(overlaid(undefined));
			void explorer.order.by(nextOrder(choices[selected], sort));
		},
	});
	const {signs} = screen;
	const inner = Math.min(widest, width) - 2;
	const arrow = sort?.direction === 'asc' ? signs.up : signs.down;
	const shown = choices.slice(from, to).map((by, place): DialogRow => {
		const isSelected = from + place === selected;
		const what = by === undefined ? unordered : columnOf(by).description;
		return {
			segments: [
				isSelected ? signs.pointer : ' ',
				sort?.by === by ? `${by === undefined ? signs.dot : arrow} ` : '  ',
				screen.cell((by && shownWord('sort', by)) ?? (isByDataset ? 'dataset' : "the service's"), nameWidth, {
					role: sort?.by === by ? 'strong' : 'plain',
				}),
				screen.cell(what, Math.max(0, inner - nameWidth - 3), {role: 'dim'}),
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	return (
		<Dialog
			title="Sort by"
			aside={choices.length > rows ? `${from + 1}-${to} of ${choices.length}` : ''}
			width={Math.min(widest, width)}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
