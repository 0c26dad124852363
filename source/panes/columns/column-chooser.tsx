import {type ReactNode, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {listStart, movedBy, settled, shownRows} from '../../store/list-position.ts';
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
	const [position, setPosition] = useState(listStart);

	// What the selected episode held when the chooser was opened.
	const [found] = useState(() => freeMetrics(explorer.selectedEpisode()));
	const choices = columnChoices(chosen, found);
	const rows = Math.max(1, Math.min(choices.length, height - 6));
	const extent = useMemo(() => ({count: choices.length, height: rows}), [choices.length, rows]);

	const bindings = useMemo<readonly Binding[]>(() => {
		const columns = () => explorer.state.getState().columns ?? defaultColumns;
		const current = () =>
			columnChoices(columns(), found)[settled(position, extent).selected]?.column.id ?? '';
		const move = (by: 1 | -1) => () => {
			const before = columns();
			const after = moveColumn(before, current(), by);
			if (after === before) return;
			explorer.update(columnsChosen(after));
			setPosition(from => movedBy(from, by, extent));
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
				run: move(1),
			},
			{
				keys: ['K', 'shift+up'],
				action: 'columns.earlier',
				description: 'further left',
				category,
				footer: 3,
				run: move(-1),
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
				move: step => setPosition(from => step(from, extent)),
			}),
		];
	}, [explorer, found, position, extent]);
	useBindings({id: 'columns', level: 'dialog', modal: true, bindings});

	const {selected} = settled(position, extent);
	const {from, to} = shownRows(position, extent);
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
		/>
	);
}
