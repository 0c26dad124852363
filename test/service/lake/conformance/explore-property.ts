import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ExploreQuery} from '../../../../source/contract/explore.ts';
import {exploreResponse} from '../../../../source/contract/explore.ts';
import {type ExploreQuestion, localExploreRequest} from '../../../../source/contract/local-explore.ts';
import type {LakeEngine} from '../../../../source/service/lake/engine.ts';
import {arbitraryLake, arbitraryQuestion, arbitraryRequest} from '../arbitrary-lakes.ts';
import {exploreOracle} from '../explore-oracle.ts';
import type {TestLakes} from '../test-lake.ts';

/** Explore against a naive model of it: what every engine of the lake must do. */
export function explorePropertyConformance(lakes: TestLakes): void {
	/** Asks every request of a lake and of the oracle. */
	async function compare(
		requests: fc.Arbitrary<ExploreQuestion>,
		facetsOf: 'interface' | 'own',
		ask: (lake: LakeEngine, query: ReturnType<typeof localExploreRequest.parse>) => Promise<unknown>,
	) {
		const property = fc.asyncProperty(
			arbitraryLake,
			fc.array(requests, {minLength: 15, maxLength: 15}),
			async (datasets, asked) => {
				const lake = await lakes.open(...datasets);
				for (const request of asked) {
					const query = localExploreRequest.parse(request);
					const answer = exploreResponse.parse(await ask(lake.lake, query));
					const expected = exploreOracle(datasets, query, facetsOf);
					const {by_tag: _, by_tag_total_values: __, ...facets} = answer.facets as Record<string, unknown>;
					expect({
						...answer,
						facets,
						total_frames: BigInt(answer.total_frames),
						episodes: answer.episodes.map(episode => ({
							dataset_name: episode.dataset_name,
							episode_index: episode.episode_index,
							episode_id: episode.episode_id,
							parent_episode_id: episode.parent_episode_id,
							channel_predicate_evidence: episode.channel_predicate_evidence ?? [],
						})),
					}).toEqual({...expected, page_limit: query.limit, page_offset: query.offset});
				}
				await lake.lake.close();
			},
		);
		await fc.assert(property, {numRuns: 20, seed: 20_260_110, endOnFailure: true});
	}

	test('4.1 explore answers as the document describes it, for any lake and any filter', async () => {
		await compare(arbitraryRequest, 'interface', (lake, query) =>
			lake.explore(query as typeof query & ExploreQuery),
		);
	}, 300_000);

	test('values left out, robots and datasets are heeded by page, totals and facets, for any lake and any filter', async () => {
		await compare(arbitraryQuestion, 'own', (lake, query) => lake.localExplore(query));
	}, 300_000);
}
