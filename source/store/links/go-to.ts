import {type Filter, noFilter} from '../../query/filter.ts';
import type {Explorer} from '../explorer.ts';
import type {ExplorerState} from '../explorer-state.ts';
import type {ListId} from '../list-place.ts';
import {paneOfPlace} from '../places/place.ts';
import {listAsked, listOpenedAt, viewed} from '../view-transitions.ts';
import {type Link, type LinkKind, placeOfEpisode, printLink} from './link.ts';
import {parentsOf} from './parents.ts';

/** The list that a thing is opened in. */
const lists: Readonly<Record<Exclude<LinkKind, 'episode'>, ListId>> = {
	dataset: 'datasets',
	model: 'models',
	project: 'projects',
	job: 'jobs',
	upload: 'uploads',
};

/** The pane that has the keyboard where a link leads to. */
export function paneOfLink({kind, id}: Link): string {
	return paneOfPlace(kind === 'episode' ? {view: 'explore'} : {view: lists[kind], opened: id});
}

/** Opens what a link leads to: one step, which can be gone back. */
export function goTo(explorer: Explorer, link: Link): void {
	const {kind, id} = link;
	if (kind === 'episode') {
		goToEpisode(explorer, link);
		return;
	}
	if (kind === 'job') explorer.jobs.follow(id);
	if (kind === 'upload') explorer.uploads.follow(id);
	const open = listOpenedAt(lists[kind], id);
	explorer.update(state => viewed(lists[kind])(open(state)));
}

/** Shows a listing asked for something else: the datasets of a job. */
export function goToList(explorer: Explorer, list: ListId, terms: Readonly<Record<string, string>>): void {
	explorer.update(state => viewed(list)(listAsked(list, terms, {isOnly: true})(state)));
}

/** Shows the episodes that a filter lets through. */
export function goToEpisodes(explorer: Explorer, filter: Partial<Filter>): void {
	explorer.places.go({view: 'explore', filter: {...noFilter, ...filter}});
}

/** Shows the episodes that those of a dataset were made of: their datasets, and them selected among the rest. */
export function goToParents(explorer: Explorer, datasetId: string): void {
	const {client, signal, selection} = explorer;
	parentsOf(client, datasetId, signal).then(
		({episodes, named, datasets}) => {
			if (signal.aborted) return;
			if (episodes.length === 0) {
				explorer.notify('warning', 'The lake does not hold any of the episodes that it was made of.');
				return;
			}
			selection.replace(episodes);
			goToEpisodes(explorer, {datasets});
			const gone = named - episodes.length;
			const further = gone > 0 ? ` ${gone} more are not in the lake any more.` : '';
			const words = episodes.length === 1 ? 'The episode' : `The ${episodes.length} episodes`;
			explorer.notify('info', `${words} that it was made of are selected.${further}`);
		},
		(error: unknown) => {
			if (!signal.aborted) explorer.notify('error', error instanceof Error ? error.message : String(error));
		},
	);
}

function goToEpisode(explorer: Explorer, link: Link): void {
	const place = placeOfEpisode(link);
	if (place === undefined) seekEpisode(explorer, link);
	else goToEpisodes(explorer, {datasets: [place.dataset], index: place.index});
}

function seekEpisode(explorer: Explorer, link: Link): void {
	void findEpisode(explorer, link.id).then(
		found => {
			if (found === undefined) {
				explorer.notify(
					'warning',
					`${printLink(link)} was not found: the interface asks for episodes by dataset and index, and it is not among the first ${searched} of the lake. Write it as episode:DATASET/INDEX.`,
				);
			} else goToEpisodes(explorer, {datasets: [found.dataset_name], index: found.episode_index});
		},
		(error: unknown) => explorer.notify('error', error instanceof Error ? error.message : String(error)),
	);
}

const pageRows = 200;

/** Episodes gone through to find one by its id alone. */
const searched = 5000;

async function findEpisode({client, window}: Explorer, id: string) {
	const {row, rowCount} = window.result.getState();
	for (let at = 0; at < Math.min(rowCount, searched); at++) {
		const episode = row(at);
		if (typeof episode === 'object' && episode.episode_id === id) return episode;
	}
	for (let offset = 0; offset < searched; offset += pageRows) {
		const {data} = await client.explore({limit: pageRows, offset});
		const found = data.episodes.find(({episode_id}) => episode_id === id);
		if (found !== undefined) return found;
		if (data.episodes.length < pageRows) return undefined;
	}
	return undefined;
}

/** What a start with a link begins with. */
export function startAt(link: Link): (state: ExplorerState) => ExplorerState {
	const {kind, id} = link;
	if (kind === 'episode') return state => state;
	return state => viewed(lists[kind])(listOpenedAt(lists[kind], id)(state));
}
