import type {DatasetItem} from '../contract/listing.ts';
import {type Filter, noFilter} from '../query/filter.ts';
import {datasetInFilter} from './artifacts/dataset-origin.ts';
import type {Explorer} from './explorer.ts';
import type {ExplorerState} from './explorer-state.ts';
import {type Link, type LinkKind, parentsOf, placeOfEpisode, printLink} from './queries/link.ts';
import type {ListId} from './state/list-location.ts';
import {paneOfLocation} from './state/location.ts';
import {listAsked, listOpenedAt, viewed} from './state/view-transitions.ts';

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
	return paneOfLocation(kind === 'episode' ? {view: 'explore'} : {view: lists[kind], opened: id});
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

/**
 * Shows the episodes of a dataset, of those that the filter lets through. Where a listing tells no name, they are asked for
 * by its artifact's id; the interface does not say that this is the id that its episodes bear.
 */
export function goToDataset(explorer: Explorer, item: DatasetItem): void {
	const dataset = datasetInFilter(item);
	const {filter: before} = explorer.state.getState();
	const filter: Filter = {...before, datasets: [dataset], index: undefined};
	explorer.places.go({view: 'explore', filter});
	if (dataset !== item.artifact_id) return;
	searchIfEmpty(explorer, {item, before, filter}).catch((error: unknown) => {
		if (!explorer.signal.aborted) explorer.notify('error', messageOf(error));
	});
}

/** Searches for a dataset's name where no episode has come back by its id. */
async function searchIfEmpty(
	explorer: Explorer,
	{item, before, filter}: {readonly item: DatasetItem; readonly before: Filter; readonly filter: Filter},
): Promise<void> {
	const {client, signal, state} = explorer;
	const isShown = () => state.getState().filter === filter && !signal.aborted;
	if ((await totalOf(explorer, item.artifact_id, isShown)) !== 0) return;
	const {data} = await client.explore({dataset_ids: [item.artifact_id], limit: 1}, {signal});
	// It is the rest of the filter that lets none of them through, and the table says so.
	if (data.total > 0 || !isShown()) return;
	const none = `No episode was found for ${item.path} by its artifact_id; the interface does not say that episodes use that id as their dataset_id.`;
	if (before.search !== '') {
		explorer.notify('warning', `${none} Clear your search to search for its name instead.`);
		return;
	}
	const name = item.path.split('/').at(-1) || item.path;
	explorer.places.go({view: 'explore', filter: {...before, search: name}});
	explorer.notify(
		'warning',
		`${none} This is a search for the text “${name}” instead, which may find other episodes too.`,
	);
}

/** How many episodes are found, once the question for a dataset is answered; undefined once something else is asked. */
function totalOf(
	{window, state}: Explorer,
	datasetId: string,
	isShown: () => boolean,
): Promise<number | undefined> {
	const {promise, resolve} = Promise.withResolvers<number | undefined>();
	const look = () => {
		const {question, isPrevious, totals} = window.result.getState();
		if (!isShown()) resolve(undefined);
		else if (!isPrevious && totals !== undefined && question.dataset_ids?.includes(datasetId))
			resolve(Number(totals.episodes));
	};
	const stops = [window.result.subscribe(look), state.subscribe(look)];
	look();
	return promise.finally(() => {
		for (const stop of stops) stop();
	});
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Shows the episodes that those of a dataset were made of: their datasets, and them selected among the rest. */
export function goToParents(explorer: Explorer, datasetId: string): void {
	const {client, signal, selection} = explorer;
	parentsOf(client, datasetId, signal).then(
		({episodes, named, datasets}) => {
			if (signal.aborted) return;
			if (episodes.length === 0) {
				explorer.notify('warning', 'The lake has none of the episodes that it was made from.');
				return;
			}
			selection.replace(episodes);
			goToEpisodes(explorer, {datasets});
			const gone = named - episodes.length;
			const further = gone > 0 ? ` ${gone} more are no longer in the lake.` : '';
			const words = episodes.length === 1 ? 'The episode' : `The ${episodes.length} episodes`;
			explorer.notify('info', `${words} that it was made of are selected.${further}`);
		},
		(error: unknown) => {
			if (!signal.aborted) explorer.notify('error', messageOf(error));
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
					`${printLink(link)} was not found among the first ${searched} episodes of the lake. The interface finds episodes by dataset and index: write episode:DATASET/INDEX.`,
				);
			} else goToEpisodes(explorer, {datasets: [found.dataset_name], index: found.episode_index});
		},
		(error: unknown) => explorer.notify('error', messageOf(error)),
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

/** The state of a start with a link. */
export function startAt(link: Link): (state: ExplorerState) => ExplorerState {
	const {kind, id} = link;
	if (kind === 'episode') return state => state;
	return state => viewed(lists[kind])(listOpenedAt(lists[kind], id)(state));
}
