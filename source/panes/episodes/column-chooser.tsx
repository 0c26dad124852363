import {type ReactNode, useState} from 'react';
import {useScreen} from '../../components/screen.tsx';
import type {LakeEpisode} from '../../contract/episode.ts';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {columnsChosen} from '../../store/episodes/table-columns.ts';
import {movedBy} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {type Column, columnOf, defaultColumns, knownColumns} from './columns.ts';

type ColumnChooserProps = {readonly width: number; readonly height: number};

const labelWidth = 12;
const category = 'Columns';

/** Chooses the columns of the episode table and their order. */
export function ColumnChooser(size: ColumnChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const chosen = useExplorerState(state => state.columns) ?? defaultColumns;
	// Metrics of the episode that is selected when the chooser opens.
	const [found] = useState(() => freeMetrics(explorer.selectedEpisode()));
	const columns = () => explorer.state.getState().columns ?? defaultColumns;
	/** Applies a change; a key that changes nothing says why. */
	const change = (after: readonly string[], unchanged: string): boolean => {
		if (after.join('\n') === columns().join('\n')) {
			explorer.notify('info', unchanged);
			return false;
		}
		explorer.update(columnsChosen(after));
		return true;
	};
	const list = useChooser<ColumnChoice>({
		id: 'columns',
		category,
		noun: 'column',
		items: () => columnChoices(columns(), found),
		room: size.height - 6,
		bindings({current, move}) {
			const carry = (by: 1 | -1) => () => {
				const {column, isChosen} = current() ?? {};
				if (column === undefined) return;
				const end = by === 1 ? 'last' : 'first';
				const unmoved = isChosen
					? `${column.label} is the ${end} column already.`
					: `${column.label} is hidden; only shown columns can be moved.`;
				if (change(moveColumn(columns(), column.id, by), unmoved)) {
					move((from, here) => movedBy(from, by, here));
				}
			};
			return [
				{
					keys: ['space', 'x'],
					action: 'columns.toggle',
					description: 'show or hide',
					category,
					footer: 1,
					run() {
						const id = current()?.column.id;
						if (id !== undefined) change(toggleColumn(columns(), id), 'The table needs at least one column.');
					},
				},
				{
					keys: ['J', 'shift+down'],
					action: 'columns.later',
					description: 'move right',
					category,
					footer: 2,
					run: carry(1),
				},
				{
					keys: ['K', 'shift+up'],
					action: 'columns.earlier',
					description: 'move left',
					category,
					footer: 3,
					run: carry(-1),
				},
				{
					keys: ['d'],
					action: 'columns.defaults',
					description: 'defaults',
					category,
					footer: 4,
					run: () => change(defaultColumns, 'The table shows the default columns already.'),
				},
				{
					keys: ['esc', 'enter', 'c', 'q'],
					action: 'columns.close',
					description: 'close',
					category,
					footer: 0,
					run: () => explorer.update(overlaid(undefined)),
				},
			];
		},
	});
	return (
		<ChooserDialog
			list={list}
			title="Columns"
			aside={`${chosen.length} of ${list.items.length} shown`}
			widest={66}
			{...size}
			row={({column, isChosen}, width) => [
				`${isChosen ? screen.signs.check.on : screen.signs.check.off} `,
				screen.cell(column.label, labelWidth, {role: isChosen ? 'strong' : 'plain'}),
				screen.cell(column.description, Math.max(0, width - labelWidth - 2), {role: 'dim'}),
			]}
			pressed="columns.toggle"
		/>
	);
}

/** A row of the chooser. */
type ColumnChoice = {readonly column: Column; readonly isChosen: boolean};

/** Every column there is: the chosen ones in their order, then the others, then metrics found in the data. */
export function columnChoices(chosen: readonly string[], found: readonly string[]): readonly ColumnChoice[] {
	const others = [...knownColumns.map(({id}) => id), ...found].filter(id => !chosen.includes(id));
	return [
		...chosen.map(id => ({column: columnOf(id), isChosen: true})),
		...[...new Set(others)].map(id => ({column: columnOf(id), isChosen: false})),
	];
}

/** Shows a column, behind those that show, or hides it; the last one stays. */
export function toggleColumn(chosen: readonly string[], id: string): readonly string[] {
	if (!chosen.includes(id)) return [...chosen, id];
	return chosen.length === 1 ? chosen : chosen.filter(other => other !== id);
}

/** Moves a shown column one place. */
export function moveColumn(chosen: readonly string[], id: string, by: 1 | -1): readonly string[] {
	const from = chosen.indexOf(id);
	const to = from + by;
	if (from < 0 || to < 0 || to >= chosen.length) return chosen;
	const next = chosen.filter(other => other !== id);
	return [...next.slice(0, to), id, ...next.slice(to)];
}

/** Names of an episode's metrics that a column could show. */
export function freeMetrics(episode: LakeEpisode | undefined): readonly string[] {
	return Object.entries(episode?.metrics ?? {})
		.filter(([name, value]) => typeof value !== 'object' && name.length <= 64)
		.map(([name]) => name)
		.sort();
}
