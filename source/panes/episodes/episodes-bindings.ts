import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import {changedDatasets} from '../../store/activity/changed-datasets.ts';
import {columnsShifted} from '../../store/episodes/table-columns.ts';
import type {Explorer} from '../../store/explorer.ts';
import {goToEpisodes} from '../../store/go-to.ts';
import {episodeLink, printLink} from '../../store/queries/link.ts';
import {movedBy} from '../../store/state/list-location.ts';
import {moved, overlaid} from '../../store/state/transitions.ts';
import {age} from '../../terminal/quantity.ts';
import {copyBinding} from '../list/copy-binding.ts';
import {movementBindings} from '../list/movement.ts';
import {reviewBindings} from '../reviews/review-bindings.ts';
import {selectionBindings} from '../selection/selection-bindings.ts';

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

/** The keys of the episode table. */
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
			description: 'new since last visit',
			category,
			run: () => void goToNew(explorer),
		},
		copyBinding('episodes', category, () => {
			const episode = explorer.selectedEpisode();
			if (episode !== undefined) copy(printLink(episodeLink(episode)), 'the episode link');
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

/** Shows the episodes of the datasets that came or changed since the explorer was last open. */
export async function goToNew(explorer: Explorer): Promise<void> {
	const {since} = explorer.activityMonitor;
	if (since === undefined) {
		explorer.notify('info', 'First visit to this lake from this machine: everything is new.');
		return;
	}
	const when = `since your last visit, ${age(Date.now() - since)} ago`;
	try {
		const {ids, isWhole} = await changedDatasets(explorer.client, since, explorer.signal);
		if (ids.length > 0) goToEpisodes(explorer, {datasets: ids});
		const more = isWhole ? '' : ' More datasets were not checked.';
		const what =
			ids.length === 0 ? 'No dataset' : ids.length === 1 ? 'One dataset' : `${ids.length} datasets`;
		explorer.notify('info', `${what} added or changed ${when}.${more}`);
	} catch (error) {
		if (explorer.signal.aborted) return;
		explorer.notify('error', error instanceof Error ? error.message : String(error));
	}
}
