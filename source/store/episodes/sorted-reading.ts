import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort, SortField} from '../../contract/local-explore.ts';
import type {ExplorePage, ReadPage} from '../queries/explore-result.ts';

type SortClient = Pick<Client, 'explore' | 'localExplore'>;

type ReadingOptions = {
	readonly client: SortClient;
	/** True if the service has an ability. */
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
	/** True if the service is known to be an embedded one, which counts tags beside the facets of the interface. */
	readonly countsTags: () => boolean;
	/** Is shown whatever is read. */
	readonly learn: (episodes: readonly LakeEpisode[]) => void;
};

/** Reads pages of episodes, in an order of one's own where the service has one. */
export class SortedReading {
	readonly #options: ReadingOptions;
	#canSort: boolean | undefined;
	/** It is one of an older version, which is busy and was joined as it is. */
	#isOlder = false;

	constructor(options: ReadingOptions) {
		this.#options = options;
	}

	/** True if the service sorts by figures; undefined until it was asked. */
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

	/** The calls of a client, whose `explore` gives the table's order: for code that reads on from its rows. */
	asking(sort: EpisodeSort | undefined): Pick<Client, 'explore'> {
		if (sort === undefined || this.#canSort !== true) return this.#options.client;
		return {explore: (request, options) => this.#options.client.localExplore({...request, sort}, options)};
	}

	async #page(
		request: Parameters<ReadPage>[0],
		{signal, sort}: {signal: AbortSignal; sort?: EpisodeSort | undefined},
	): Promise<ExplorePage> {
		const {client, countsTags} = this.#options;
		if (sort !== undefined && (await this.findOut(signal)))
			return {...(await client.localExplore({...request, sort}, {signal})), isSorted: true};
		if (this.#isOlder || !countsTags()) return client.explore(request, {signal});
		try {
			return await client.localExplore(request, {signal});
		} catch (error) {
			if (!(error instanceof ServiceError && error.status === 404)) throw error;
			this.#isOlder = true;
			return client.explore(request, {signal});
		}
	}
}

/** The figure of an episode that it can be ordered by; undefined where it has none. */
function sortFigure(episode: LakeEpisode, by: SortField): number | bigint | undefined {
	if (by === 'duration_s') return episode.duration_seconds;
	if (by === 'frame_count') return episode.frame_count;
	if (by === 'quality_score') return episode.quality_score ?? undefined;
	const value = episode.metrics?.[by];
	return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** Negative if one figure comes before another. Episodes without a figure come last in both directions. */
function compared(
	a: number | bigint | undefined,
	b: number | bigint | undefined,
	direction: EpisodeSort['direction'],
): number {
	if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
	if (a === b) return 0;
	return a < b === (direction === 'asc') ? -1 : 1;
}

/** Episodes in an order; among equals they stay as they came. */
export function inOrder(episodes: readonly LakeEpisode[], sort: EpisodeSort): readonly LakeEpisode[] {
	const figures = new Map(episodes.map(episode => [episode, sortFigure(episode, sort.by)]));
	return episodes.toSorted((a, b) => compared(figures.get(a), figures.get(b), sort.direction));
}

/**
 * The order that episodes at hand can be brought into: a service that compares nothing with its siblings tells no doubt,
 * and the lowest quality score is the next best guess of what is worst.
 */
export function orderHere(episodes: readonly LakeEpisode[], sort: EpisodeSort): EpisodeSort {
	if (sort.by !== 'doubt') return sort;
	const isTold = episodes.some(episode => sortFigure(episode, 'doubt') !== undefined);
	if (isTold) return sort;
	return {by: 'quality_score', direction: sort.direction === 'desc' ? 'asc' : 'desc'};
}
