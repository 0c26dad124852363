import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {ChannelPredicateEvidence, LakeEpisode} from '../../contract/episode.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {Question} from '../queries/explore-result.ts';

/** Evidence that was asked for, by the episode's id, under the predicates of the question that shows. */
export type EvidenceKnown = ReadonlyMap<string, readonly ChannelPredicateEvidence[]>;

/** A cursor that rests this long is looked into; a row that is walked past is not. */
const restMs = 150;

const cachedMs = 60_000;

/** Rows that are remembered; the ones asked for first go first. */
const mostKept = 1000;

/** Where the embedded service puts an episode's own evidence. */
export const ownEvidenceField = 'channel_predicate_evidence';

/** The evidence that stands on the episode itself; undefined where there is none to read. */
export function ownEvidence(episode: LakeEpisode): readonly ChannelPredicateEvidence[] | undefined {
	return episode[ownEvidenceField] ?? undefined;
}

const nothing: EvidenceKnown = new Map();

/**
 * Evidence of the episode under the cursor. The interface's evidence names no episode, so it is asked for by the same
 * question narrowed to the one, with limit 1: one such question at a time, whatever the cursor does meanwhile.
 */
export class EvidenceWatch {
	readonly known: StoreApi<EvidenceKnown> = createStore<EvidenceKnown>(() => nothing);
	readonly #queries: QueryClient;
	readonly #client: Pick<Client, 'explore'>;
	readonly #reading = new DebouncedQuery({restMs});
	#predicates = '';
	/** The episode whose evidence is to be read. */
	#wanted: string | undefined;

	constructor(queries: QueryClient, client: Pick<Client, 'explore'>) {
		this.#queries = queries;
		this.#client = client;
	}

	/** Says which episode the cursor is at, under which question. */
	select(episode: LakeEpisode | undefined, question: Question): void {
		const predicates = JSON.stringify(question.channel_predicates ?? []);
		if (predicates !== this.#predicates) {
			this.#predicates = predicates;
			// It may be of these very episodes, under other predicates.
			this.known.setState(nothing, true);
		}
		const isWanted =
			episode !== undefined &&
			(question.channel_predicates?.length ?? 0) > 0 &&
			ownEvidence(episode) === undefined &&
			!this.known.getState().has(episode.episode_id);
		if (isWanted && this.#wanted === episode.episode_id) return;
		this.#wanted = isWanted ? episode.episode_id : undefined;
		// One that is being read is read to its end, and kept: the cursor may come back to it.
		if (isWanted) this.#reading.want(() => this.#readEvidence(episode, question));
		else this.#reading.drop();
	}

	stop(): void {
		this.#reading.drop();
		this.#wanted = undefined;
	}

	async #readEvidence(episode: LakeEpisode, question: Question): Promise<void> {
		const {episode_id: id} = episode;
		const predicates = this.#predicates;
		try {
			const items = await this.#read(episode, question);
			if (predicates === this.#predicates) this.#keep(id, items);
		} catch {
			// The page's own reading says what is wrong with the service; the row is asked for again when next come to.
		}
		if (this.#wanted === id && predicates === this.#predicates) this.#wanted = undefined;
	}

	#read(
		{dataset_id, episode_index}: LakeEpisode,
		question: Question,
	): Promise<readonly ChannelPredicateEvidence[]> {
		const request = {...question, dataset_ids: [dataset_id], episode_index, limit: 1, offset: 0};
		return this.#queries.fetchQuery({
			queryKey: ['evidence', request],
			queryFn: async ({signal}) =>
				(await this.#client.explore(request, {signal})).data.channel_predicate_evidence,
			staleTime: cachedMs,
		});
	}

	#keep(episodeId: string, items: readonly ChannelPredicateEvidence[]): void {
		const kept = [...this.known.getState()].slice(-(mostKept - 1));
		this.known.setState(new Map([...kept, [episodeId, items]]), true);
	}
}
