import {type ReactNode, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {LakeEpisode} from '../../contract/episode.ts';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {movedBy, shownRows} from '../../store/state/list-location.ts';
import {columnsChosen, overlaid} from '../../store/state/transitions.ts';
import {movementBindings} from '../list/movement.ts';
import {type Column, columnOf, defaultColumns, knownColumns} from './columns.ts';

type ColumnChooserProps = {readonly width: number; readonly height: number};

const widest = 66;
const labelWidth = 12;
const category = 'Columns';

/** Which columns the table shows, and in which order. */
export function ColumnChooser({width, height}: ColumnChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const chosen = useExplorerState(state => state.columns) ?? defaultColumns;

	// What the selected episode held when the chooser was opened.
	const [found] = useState(() => freeMetrics(explorer.selectedEpisode()));
	const choices = columnChoices(chosen, found);
	const rows = Math.max(1, Math.min(choices.length, height - 6));
	const extent = {count: choices.length, height: rows};
	const {position, now, move} = useListPosition(extent);

	const bindings = useMemo<readonly Binding[]>(() => {
		const columns = () => explorer.state.getState().columns ?? defaultColumns;
		const current = () => columnChoices(columns(), found)[now().selected]?.column.id ?? '';
		const carry = (by: 1 | -1) => () => {
			const before = columns();
			const after = moveColumn(before, current(), by);
			if (after === before) return;
			explorer.update(columnsChosen(after));
			move((from, here) => movedBy(from, by, here));
		};
		return [
			{
				keys: ['space', 'x'],
				action: 'columns.toggle',
				description: 'show or hide',
				category,
				footer: 1,
				run: () => explorer.update(columnsChosen(toggleColumn(columns(), current()))),
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
				run: () => explorer.update(columnsChosen(defaultColumns)),
			},
			{
				keys: ['esc', 'enter', 'c', 'q'],
				action: 'columns.close',
				description: 'close',
				category,
				footer: 0,
				run: () => explorer.update(overlaid(undefined)),
			},
			...movementBindings({
				name: 'columns',
				category,
				noun: 'column',
				move,
			}),
		];
	}, [explorer, found, now, move]);
	useBindings({id: 'columns', level: 'dialog', modal: true, bindings});

	const {selected} = position;
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'columns',
		level: 'dialog',
		within: 'columns',
		head: 1,
		from,
		count: to,
		chosen: selected,
		move,
		open: () => explorer.update(columnsChosen(toggleColumn(chosen, choices[selected]?.column.id ?? ''))),
	});
	const {signs} = screen;
	const inner = Math.min(widest, width) - 2;
	const shown = choices.slice(from, to).map(({column, isChosen}, place): DialogRow => {
		const isSelected = from + place === selected;
		return {
			segments: [
				isSelected ? signs.pointer : ' ',
				`${isChosen ? signs.check.on : signs.check.off} `,
				screen.cell(column.label, labelWidth, {role: isChosen ? 'strong' : 'plain'}),
				screen.cell(column.description, Math.max(0, inner - labelWidth - 3), {role: 'dim'}),
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	return (
		<Dialog
			title="Columns"
			aside={`${chosen.length} of ${choices.length} shown`}
			width={Math.min(widest, width)}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

/** A line of the chooser. */
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
