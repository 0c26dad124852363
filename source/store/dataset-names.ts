import type {Client} from '../client/client.ts';
import type {LakeEpisode} from '../contract/episode.ts';

/** The ids of datasets by their names: filters are written with names, requests with ids. */
export class DatasetNames {
	readonly #ids = new Map<string, string>();
	readonly #client: Pick<Client, 'explore'>;

	constructor(client: Pick<Client, 'explore'>) {
		this.#client = client;
	}

	/** Remembers the names that episodes carry. */
	learn(episodes: readonly LakeEpisode[]): void {
		for (const {dataset_name, dataset_id} of episodes) this.#ids.set(dataset_name, dataset_id);
	}

	readonly idOf = (name: string): string | undefined => this.#ids.get(name);

	/**
	 * Looks for names that were not seen yet, by a search of the lake.
	 *
	 * @returns the names that no dataset found bears.
	 */
	async find(names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
		const unknown = names.filter(name => !this.#ids.has(name));
		const searches = unknown.map(name => this.#client.explore({search: name, limit: 200}, {signal}));
		for (const {data} of await Promise.all(searches)) this.learn(data.episodes);
		return unknown.filter(name => !this.#ids.has(name));
	}
}
