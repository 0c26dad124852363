import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import {type ChannelPredicateEvidence, channelPredicateEvidence} from '../contract/evidence.ts';
import type {Question} from './result.ts';

/** What is known of how one episode meets the channel predicates. */
export type Evidence = {
	readonly episodeId: string;
	readonly items: readonly ChannelPredicateEvidence[];
};

/** A selection that rests this long is looked into; one that is walked past is not. */
const restMs = 150;

/** Where the embedded service puts an episode's own evidence. */
export const ownEvidenceField = 'channel_predicate_evidence';

/** The evidence that stands on the episode itself; undefined where there is none to read. */
export function ownEvidence(episode: LakeEpisode): readonly ChannelPredicateEvidence[] | undefined {
	const read = channelPredicateEvidence.array().safeParse(episode[ownEvidenceField]);
	return read.success ? read.data : undefined;
}

/**
 * Evidence of the selected episode. The interface's evidence names no episode, so it is asked for by the same question
 * narrowed to the one, with limit 1.
 */
export class EvidenceWatch {
	readonly known: StoreApi<Evidence | undefined> = createStore<Evidence | undefined>(() => undefined);
	readonly #queries: QueryClient;
	readonly #client: Pick<Client, 'explore'>;
	#timer: NodeJS.Timeout | undefined;
	#wanted: string | undefined;

	constructor(queries: QueryClient, client: Pick<Client, 'explore'>) {
		this.#queries = queries;
		this.#client = client;
	}

	/** Says which episode is selected, under which question. */
	select(episode: LakeEpisode | undefined, question: Question): void {
		const isWanted =
			episode !== undefined &&
			(question.channel_predicates?.length ?? 0) > 0 &&
			ownEvidence(episode) === undefined;
		const wanted = isWanted
			? `${episode.episode_id} ${JSON.stringify(question.channel_predicates)}`
			: undefined;
		if (wanted === this.#wanted) return;
		this.#wanted = wanted;
		clearTimeout(this.#timer);
		// It may be of this very episode, under other predicates.
		this.known.setState(undefined, true);
		if (isWanted) this.#timer = setTimeout(() => void this.#read(episode, question), restMs);
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#wanted = undefined;
	}

	async #read(episode: LakeEpisode, question: Question): Promise<void> {
		const {episode_id: episodeId, dataset_id, episode_index} = episode;
		const wanted = this.#wanted;
		const request = {...question, dataset_ids: [dataset_id], episode_index, limit: 1, offset: 0};
		try {
			const items = await this.#queries.fetchQuery({
				queryKey: ['evidence', request],
				queryFn: async ({signal}) =>
					(await this.#client.explore(request, {signal})).data.channel_predicate_evidence,
				staleTime: 60_000,
			});
			if (wanted === this.#wanted) this.known.setState({episodeId, items}, true);
		} catch {
			// The page's own reading says what is wrong with the service; evidence is asked for again when next selected.
			if (wanted === this.#wanted) this.#wanted = undefined;
		}
	}
}
