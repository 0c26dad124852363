import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {ExplorePage, ReadPage} from '../explore-page.ts';

type Asked = Pick<Client, 'explore' | 'localExplore' | 'localDocument'>;

/** Reads pages of episodes, in an order of one's own where the service has one. */
export class SortedReading {
	readonly #client: Asked;
	readonly #learn: (episodes: readonly LakeEpisode[]) => void;
	#canSort: boolean | undefined;

	/** @param learn is shown whatever is read. */
	constructor(client: Asked, learn: (episodes: readonly LakeEpisode[]) => void) {
		this.#client = client;
		this.#learn = learn;
	}

	/** Whether the service orders by figures; undefined until it was asked. */
	get canSort(): boolean | undefined {
		return this.#canSort;
	}

	/** Finds out whether the service orders by figures. */
	async findOut(signal: AbortSignal): Promise<boolean> {
		if (this.#canSort === undefined) {
			const document = await this.#client.localDocument({signal});
			this.#canSort = document?.abilities.includes('explore') ?? false;
		}
		return this.#canSort;
	}

	readonly read: ReadPage = async (request, {signal, sort}) => {
		const page = await this.#page(request, {signal, sort});
		this.#learn(page.data.episodes);
		return page;
	};

	/** The calls of a client, whose `explore` gives this order: for whoever reads on where the table shows it. */
	asking(sort: EpisodeSort | undefined): Pick<Client, 'explore'> {
		if (sort === undefined || this.#canSort !== true) return this.#client;
		return {explore: (request, options) => this.#client.localExplore({...request, sort}, options)};
	}

	async #page(
		request: Parameters<ReadPage>[0],
		{signal, sort}: {signal: AbortSignal; sort?: EpisodeSort | undefined},
	): Promise<ExplorePage> {
		if (sort === undefined || !(await this.findOut(signal))) return this.#client.explore(request, {signal});
		return {...(await this.#client.localExplore({...request, sort}, {signal})), isSorted: true};
	}
}
