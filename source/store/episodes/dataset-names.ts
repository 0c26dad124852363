import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {type Filter, type RequestResult, toExploreRequest} from '../../query/filter.ts';

type NamesClient = Pick<Client, 'explore' | 'listDatasets'>;

/** Names of one filter that are looked for; more of them are taken for ids. */
const mostUnknown = 3;

/** Names that were seen with episodes and are kept; those of the longest unseen go first, and are looked for anew. */
const mostSeen = 10_000;

/** The ids of datasets by their names: filters are written with names, requests with ids. */
export class DatasetNames {
	readonly #ids = new Map<string, string>();
	readonly #listed = new Set<string>();
	readonly #client: NamesClient;
	#isListed = false;

	constructor(client: NamesClient) {
		this.#client = client;
	}

	/** Remembers the names that episodes carry. */
	learn(episodes: readonly LakeEpisode[]): void {
		for (const {dataset_name, dataset_id} of episodes) {
			this.#ids.delete(dataset_name);
			this.#ids.set(dataset_name, dataset_id);
		}
		for (const oldest of this.#ids.keys()) {
			if (this.#ids.size <= mostSeen) break;
			this.#ids.delete(oldest);
		}
	}

	readonly idOf = (name: string): string | undefined => this.#ids.get(name);

	/** The names that are known, by what was seen and listed. */
	get known(): readonly string[] {
		return [...new Set([...this.#ids.keys(), ...this.#listed])].sort();
	}

	/**
	 * The request that a filter stands for. Names that were not seen yet are looked for; where one is not found, the
	 * listing is read too, to tell what was meant perhaps.
	 */
	async request(filter: Filter, signal: AbortSignal): Promise<RequestResult> {
		const seen = toExploreRequest(filter, this.idOf);
		if (seen.ok) return seen;
		const unknownDatasets = await this.#find(seen.unknownDatasets, signal);
		if (unknownDatasets.length === 0) return toExploreRequest(filter, this.idOf);
		// Without the listing there are only fewer names to have been meant.
		await this.list(signal).catch(() => undefined);
		return {ok: false, unknownDatasets};
	}

	/**
	 * Looks for names by a search of the lake each, one after the other.
	 *
	 * @returns the names that no dataset found bears, the first few of them.
	 */
	async #find(names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
		const unknown: string[] = [];
		for (const name of names) {
			if (this.#ids.has(name)) continue;
			const {data} = await this.#client.explore({search: name, limit: 200}, {signal});
			this.learn(data.episodes);
			if (!this.#ids.has(name)) unknown.push(name);
			if (unknown.length === mostUnknown) break;
		}
		return unknown;
	}

	/** The listing was read. */
	get isListed(): boolean {
		return this.#isListed;
	}

	/** Reads the names of the listing (section 4.6), once: a dataset's name is the end of its path. */
	async list(signal: AbortSignal): Promise<void> {
		if (this.#isListed) return;
		const {data} = await this.#client.listDatasets(
			{limit: 1000, sort: 'name', dataset_type: 'lerobot_v3'},
			{signal},
		);
		for (const {path} of data.items) this.#listed.add(path.slice(path.lastIndexOf('/') + 1));
		this.#isListed = true;
	}
}
