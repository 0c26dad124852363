import {type ReactNode, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useListMouse} from '../../hooks/list-mouse.ts';
import {useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {movedBy, shownRows} from '../../store/list-position.ts';
import {columnsChosen, overlaid} from '../../store/transitions.ts';
import {defaultColumns} from '../episodes/columns.ts';
import {movementBindings} from '../movement.ts';
import {columnChoices, freeMetrics, moveColumn, toggleColumn} from './column-list.ts';

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
				description: 'further right',
				category,
				footer: 2,
				run: carry(1),
			},
			{
				keys: ['K', 'shift+up'],
				action: 'columns.earlier',
				description: 'further left',
				category,
				footer: 3,
				run: carry(-1),
			},
			{
				keys: ['d'],
				action: 'columns.defaults',
				description: 'as at first',
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
