import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {isNothing} from '../../store/selection/selection.ts';
import {overlaid} from '../../store/state/transitions.ts';
import type {Overlay} from '../../store/state/user-state.ts';
import {onNewest} from '../reviews/on-newest.ts';

const category = 'Selection';

/**
 * The keys of the selection, for each pane that shows episodes.
 *
 * @param options.next goes on to the next row, where there are rows: picking ten in a row is ten times the same key.
 */
export function selectionBindings(explorer: Explorer, {next}: {next?: () => void} = {}): readonly Binding[] {
	const {selection} = explorer;
	const state = () => explorer.state.getState();
	const over = async (overlay: Overlay) => {
		if (isRanging()) await selection.takeRange();
		explorer.update(overlaid(overlay));
	};
	const isRanging = () => state().range !== undefined;
	const onRows: readonly Binding[] = [
		{
			keys: ['space'],
			action: 'selection.pick',
			description: 'select',
			category,
			footer: 16,
			batch: true,
			run() {
				const isRange = isRanging();
				void selection.toggle();
				if (!isRange) next?.();
			},
		},
		{
			keys: ['v'],
			action: 'selection.range',
			description: 'select a range',
			category,
			batch: true,
			run: () => (isRanging() ? selection.leaveRange() : selection.startRange()),
		},
		{
			keys: ['*'],
			action: 'selection.all',
			description: 'select all that match, or none',
			category,
			batch: true,
			run: () => selection.toggleAll(),
		},
		{
			keys: ['e'],
			action: 'selection.export',
			description: 'export',
			category,
			footer: 22,
			run: () => over('export'),
		},
		{
			keys: ['T'],
			action: 'selection.thin',
			description: 'thin: keep some of each task',
			category,
			run: () => over('thin'),
		},
		{
			keys: ['m'],
			action: 'selection.compose',
			description: 'compose a dataset',
			category,
			run: () => explorer.mayChange() && over('compose'),
		},
	];
	return [
		...onNewest(explorer, onRows),
		{
			keys: ['esc'],
			action: 'selection.leave-range',
			description: 'cancel the range',
			category,
			when: isRanging,
			batch: true,
			run: () => selection.leaveRange(),
		},
		{
			// Where an episode is read, that key leaves it.
			keys: next === undefined ? [] : ['esc'],
			action: 'selection.drop',
			description: 'clear the selection',
			category,
			when: () => !isNothing(state().selection) && !isRanging(),
			batch: true,
			run: () => selection.drop(),
		},
	];
}
