import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {ExplorePage, ReadPage} from '../explore-page.ts';

type Asked = Pick<Client, 'explore' | 'localExplore'>;

type ReadingOptions = {
	readonly client: Asked;
	/** Whether the service has an ability. */
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
	/** Is shown whatever is read. */
	readonly learn: (episodes: readonly LakeEpisode[]) => void;
};

/** Reads pages of episodes, in an order of one's own where the service has one. */
export class SortedReading {
	readonly #options: ReadingOptions;
	#canSort: boolean | undefined;

	constructor(options: ReadingOptions) {
		this.#options = options;
	}

	/** Whether the service orders by figures; undefined until it was asked. */
	get canSort(): boolean | undefined {
		return this.#canSort;
	}

	/** Finds out whether the service orders by figures. */
	async findOut(signal: AbortSignal): Promise<boolean> {
		this.#canSort ??= await this.#options.can('explore', signal);
		return this.#canSort;
	}

	readonly read: ReadPage = async (request, {signal, sort}) => {
		const page = await this.#page(request, {signal, sort});
		this.#options.learn(page.data.episodes);
		return page;
	};

	/** The calls of a client, whose `explore` gives this order: for whoever reads on where the table shows it. */
	asking(sort: EpisodeSort | undefined): Pick<Client, 'explore'> {
		if (sort === undefined || this.#canSort !== true) return this.#options.client;
		return {explore: (request, options) => this.#options.client.localExplore({...request, sort}, options)};
	}

	async #page(
		request: Parameters<ReadPage>[0],
		{signal, sort}: {signal: AbortSignal; sort?: EpisodeSort | undefined},
	): Promise<ExplorePage> {
		if (sort === undefined || !(await this.findOut(signal)))
			return this.#options.client.explore(request, {signal});
		return {...(await this.#options.client.localExplore({...request, sort}, {signal})), isSorted: true};
	}
}
