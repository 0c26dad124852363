import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import type {Explorer} from '../../store/explorer.ts';
import {episodeLink, printLink} from '../../store/queries/link.ts';
import {type ListExtent, movedBy} from '../../store/state/list-location.ts';
import {detailScrolled, moved, zoomed} from '../../store/state/transitions.ts';
import {copyBinding} from '../list/copy-binding.ts';
import {movementBindings} from '../list/movement.ts';
import {reviewBindings} from '../reviews/review-bindings.ts';
import {selectionBindings} from '../selection/selection-bindings.ts';
import {plotBindings} from './plot-bindings.ts';

const category = 'Episode';

type Detail = {
	readonly explorer: Explorer;
	readonly focus: Focus;
	/** Copies a text that is called `what` in what is said of it. */
	readonly copy: (text: string, what: string) => void;
	/** As it is now: it changes with every episode. */
	readonly extent: () => ListExtent;
	/** Reviews are kept on this machine. */
	readonly keepsReviews: boolean;
	/** Cells that a plot is wide. */
	readonly cells: () => number;
};

/** The keys of the detail: scroll it, read its plots, go to the next episode, go back to the table. */
export function detailBindings({
	explorer,
	focus,
	copy,
	extent,
	keepsReviews,
	cells,
}: Detail): readonly Binding[] {
	const beside = (by: 1 | -1) => () => {
		const count = explorer.window.result.getState().rowCount;
		// Which rows the table shows is its own to settle.
		explorer.update(
			moved(position => ({...position, selected: movedBy(position, by, {count, height: 1}).selected})),
		);
	};
	return [
		{
			keys: ['esc', 'backspace'],
			action: 'detail.leave',
			description: 'back',
			category,
			footer: 10,
			run() {
				explorer.update(zoomed(false));
				focus.focus('episodes');
			},
		},
		{
			keys: ['enter'],
			action: 'detail.enlarge',
			description: 'full screen',
			category,
			run: () => explorer.update(zoomed(!explorer.state.getState().zoomed)),
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
		...reviewBindings(explorer, {next: beside(1), isHere: keepsReviews}),
		...plotBindings({explorer, cells}),
		...selectionBindings(explorer),
		copyBinding('detail', category, () => {
			const episode = explorer.selectedEpisode();
			if (episode !== undefined) copy(printLink(episodeLink(episode)), 'the episode link');
		}),
		...movementBindings({
			name: 'detail',
			category,
			noun: 'line',
			move: step => explorer.update(detailScrolled(step, extent())),
		}),
	];
}
