import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import type {Explorer} from '../../store/explorer.ts';
import {type ListExtent, movedBy} from '../../store/list-position.ts';
import {detailScrolled, moved} from '../../store/transitions.ts';
import {movementBindings} from '../movement.ts';

const category = 'Episode';

/** What can be done in the detail: scroll it, look at the next episode, go back to the table. */
export function detailBindings(explorer: Explorer, focus: Focus, extent: ListExtent): readonly Binding[] {
	const beside = (by: 1 | -1) => () => {
		const count = explorer.window.result.getState().rowCount;
		explorer.update(moved(position => movedBy(position, by, {count, height: 1})));
	};
	return [
		{
			keys: ['esc', 'enter', 'backspace'],
			action: 'detail.leave',
			description: 'back',
			category,
			footer: 10,
			run: () => focus.focus('episodes'),
		},
		{
			keys: ['n', 'J'],
			action: 'detail.next-episode',
			description: 'next',
			category,
			footer: 20,
			batch: true,
			run: beside(1),
		},
		{
			keys: ['N', 'K'],
			action: 'detail.previous-episode',
			description: 'previous',
			category,
			footer: 21,
			batch: true,
			run: beside(-1),
		},
		...movementBindings({
			name: 'detail',
			category,
			noun: 'line',
			move: step => explorer.update(detailScrolled(step, extent)),
		}),
	];
}
