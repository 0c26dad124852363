import type {Client} from '../../client/client.ts';
import {episodePages} from '../../client/episode-pages.ts';
import {resolveDataset} from '../../client/resolve-dataset.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {ExploreRequest} from '../../contract/explore.ts';

/** The kinds of things that a link leads to. */
export const linkKinds = ['dataset', 'model', 'project', 'job', 'upload', 'episode'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** A thing of the service, named so that it can be copied, sent and opened: `job:0190c3a1-…`. */
export type Link = {readonly kind: LinkKind; readonly id: string};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An example of an id, for users who have to type one. */
export const exampleId = '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10';

/** True if a text is an id as the interface has them. */
export function isId(text: string): boolean {
	return uuid.test(text);
}

/** The interface asks for episodes by dataset and index, not by id: both stand in the link. */
const episodePlace = /^(?<dataset>[A-Za-z0-9][A-Za-z0-9._-]{0,127})\/(?<index>\d{1,10})$/;

/** An episode's link: `episode:so101-fold/37`. */
export function episodeLink({
	dataset_name,
	episode_index,
}: {
	readonly dataset_name: string;
	readonly episode_index: number;
}): Link {
	return {kind: 'episode', id: `${dataset_name}/${episode_index}`};
}

/** The link to the episode that another was made of; undefined where none is told, or not its dataset. */
export function parentLink(
	episode:
		| {
				readonly parent_dataset_name?: string | null | undefined;
				readonly parent_episode_index?: number | null | undefined;
		  }
		| undefined,
): Link | undefined {
	const {parent_dataset_name: dataset_name, parent_episode_index: episode_index} = episode ?? {};
	if (dataset_name == null || episode_index == null) return undefined;
	return episodeLink({dataset_name, episode_index});
}

/** The dataset's name and the index in the id of an episode's link; undefined where it is the episode's own id. */
export function placeOfEpisode({id}: Link): {readonly dataset: string; readonly index: number} | undefined {
	const {dataset, index} = episodePlace.exec(id)?.groups ?? {};
	return dataset === undefined ? undefined : {dataset, index: Number(index)};
}

export function printLink({kind, id}: Link): string {
	return `${kind}:${id}`;
}

/** Reads a link. @returns undefined where it is none */
export function readLink(text: string): Link | undefined {
	const [, kindText = '', idText = ''] = /^([a-z]+):(.+)$/s.exec(text.trim()) ?? [];
	const kind = linkKinds.find(each => each === kindText);
	if (kind === undefined) return undefined;
	const id = isId(idText.toLowerCase()) ? idText.toLowerCase() : idText;
	const isReadable = isId(id) || (kind === 'episode' && episodePlace.test(id));
	return isReadable ? {kind, id} : undefined;
}

/** The episodes that a dataset was made of. */
type Parents = {
	/** Those that the lake holds. */
	readonly episodes: readonly LakeEpisode[];
	/** How many the children name. */
	readonly named: number;
	/** The names of their datasets. */
	readonly datasets: readonly string[];
};

/** Children that are looked at; one dataset is composed of fewer at once than are picked one by one. */
const mostChildren = 20_000;

/** Finds the episodes that those of a dataset were made of: children tell their parent's dataset and index. */
export async function parentsOf(client: Client, datasetId: string, signal: AbortSignal): Promise<Parents> {
	const named = new Map<string, Set<number>>();
	const children: ExploreRequest = {dataset_ids: [datasetId], lineage: 'children'};
	for await (const {data} of episodePages(client, children, {offset: 0, count: mostChildren}, {signal})) {
		for (const {parent_dataset_name: name, parent_episode_index: index} of data.episodes) {
			if (name == null || index == null) continue;
			named.set(name, (named.get(name) ?? new Set()).add(index));
		}
	}
	const episodes: LakeEpisode[] = [];
	for (const [name, indices] of named) {
		const id = await resolveDataset(client, name, {signal});
		if (id === undefined) continue;
		for await (const {data} of episodePages(client, {dataset_ids: [id]}, {offset: 0}, {signal})) {
			episodes.push(...data.episodes.filter(({episode_index}) => indices.has(episode_index)));
		}
	}
	const count = [...named.values()].reduce((sum, {size}) => sum + size, 0);
	return {episodes, named: count, datasets: [...new Set(episodes.map(each => each.dataset_name))]};
}
