import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ExploreQuery} from '../../../../source/contract/explore.ts';
import {exploreResponse} from '../../../../source/contract/explore.ts';
import {type ExploreQuestion, localExploreRequest} from '../../../../source/contract/local-explore.ts';
import type {LakeEngine} from '../../../../source/service/lake/engine.ts';
import {arbitraryLake, arbitraryQuestion, arbitraryRequest} from '../arbitrary-lakes.ts';
import {exploreOracle} from '../explore-oracle.ts';
import type {ModelDataset} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

/** A question by the interface's own request, or by that of our own. */
type Asked = {readonly own: boolean; readonly request: ExploreQuestion};

const asked = (own: boolean, requests: fc.Arbitrary<ExploreQuestion>) =>
	fc.array(
		requests.map((request): Asked => ({own, request})),
		{minLength: 15, maxLength: 15},
	);

/** Explore against a naive model of it: what every engine of the lake must do. */
export function explorePropertyConformance(lakes: TestLakes, anyLakes: number): void {
	async function expectAsModelled(
		lake: LakeEngine,
		datasets: readonly ModelDataset[],
		{own, request}: Asked,
	): Promise<void> {
		const query = localExploreRequest.parse(request);
		const given = await (own ? lake.localExplore(query) : lake.explore(query as typeof query & ExploreQuery));
		const answer = exploreResponse.parse(given);
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
		}).toEqual({
			...exploreOracle(datasets, query, own ? 'own' : 'interface'),
			page_limit: query.limit,
			page_offset: query.offset,
		});
	}

	test('4.1 explore, and that with values left out, robots and datasets, answer as the document describes it, for any lake and any filter', async () => {
		const property = fc.asyncProperty(
			arbitraryLake,
			asked(false, arbitraryRequest),
			asked(true, arbitraryQuestion),
			async (datasets, interfaceOnes, ownOnes) => {
				const {lake} = await lakes.open(...datasets);
				for (const each of [...interfaceOnes, ...ownOnes]) await expectAsModelled(lake, datasets, each);
				await lake.close();
			},
		);
		await fc.assert(property, {numRuns: anyLakes, seed: 20_260_110, endOnFailure: true});
	}, 600_000);
}
