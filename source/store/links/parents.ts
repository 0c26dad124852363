import type {Client} from '../../client/client.ts';
import {episodePages} from '../../client/episode-pages.ts';
import {resolveDataset} from '../../client/resolve-dataset.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {ExploreRequest} from '../../contract/explore.ts';

/** What the episodes of a dataset were made of. */
export type Parents = {
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
