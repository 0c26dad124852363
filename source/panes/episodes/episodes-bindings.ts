import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import type {Explorer} from '../../store/explorer.ts';
import {episodeLink, printLink} from '../../store/links/link.ts';
import {movedBy} from '../../store/list-position.ts';
import {columnsShifted, moved, overlaid} from '../../store/transitions.ts';
import {copyBinding} from '../copy-binding.ts';
import {movementBindings} from '../movement.ts';
import {reviewBindings} from '../reviews/review-bindings.ts';
import {selectionBindings} from '../selection/selection-bindings.ts';
import {goToNew} from './go-to-new.ts';

const category = 'Episodes';

type Table = {
	readonly explorer: Explorer;
	readonly focus: Focus;
	/** Copies a text that is called `what` in what is said of it. */
	readonly copy: (text: string, what: string) => void;
	/** How many rows show. */
	readonly rows: number;
	/** How many columns there are. */
	readonly columns: number;
	/** Reviews are kept on this machine. */
	readonly keepsReviews: boolean;
};

/** What can be done in the episode table. */
export function episodesBindings({
	explorer,
	focus,
	copy,
	rows,
	columns,
	keepsReviews,
}: Table): readonly Binding[] {
	const next = () => {
		const extent = {count: explorer.window.result.getState().rowCount, height: rows};
		explorer.update(moved(position => movedBy(position, 1, extent)));
	};
	return [
		{
			keys: ['enter'],
			action: 'episodes.open',
			description: 'open',
			category,
			footer: 10,
			run: () => focus.focus('detail'),
		},
		...reviewBindings(explorer, {next, isHere: keepsReviews}),
		...selectionBindings(explorer, {next}),
		...movementBindings({
			name: 'episodes',
			category,
			noun: 'episode',
			move: step => {
				const count = explorer.window.result.getState().rowCount;
				explorer.update(moved(position => step(position, {count, height: rows})));
			},
		}),
		{
			keys: ['right', '>'],
			action: 'episodes.columns-right',
			description: 'columns further right',
			category,
			batch: true,
			run: () => explorer.update(columnsShifted(1, columns)),
		},
		{
			keys: ['left', '<'],
			action: 'episodes.columns-left',
			description: 'columns further left',
			category,
			batch: true,
			run: () => explorer.update(columnsShifted(-1, columns)),
		},
		{
			keys: ['N'],
			action: 'episodes.new',
			description: 'what is new since the last look',
			category,
			run: () => void goToNew(explorer),
		},
		copyBinding('episodes', category, () => {
			const episode = explorer.selectedEpisode();
			if (episode !== undefined) copy(printLink(episodeLink(episode)), 'the link to the episode');
		}),
		{
			keys: ['c'],
			action: 'episodes.columns',
			description: 'columns',
			category,
			footer: 60,
			run: () => explorer.update(overlaid('columns')),
		},
	];
}
