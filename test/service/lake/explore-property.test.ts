import fc from 'fast-check';
import {expect, test} from 'vitest';
import {exploreRequest, exploreResponse} from '../../../source/contract/explore.ts';
import {arbitraryLake, arbitraryRequest} from './arbitrary-lakes.ts';
import {exploreOracle} from './explore-oracle.ts';
import {testLakes} from './test-lake.ts';

const lakes = testLakes();

test('4.1 explore answers as the document describes it, for any lake and any filter', async () => {
	const property = fc.asyncProperty(
		arbitraryLake,
		fc.array(arbitraryRequest, {minLength: 15, maxLength: 15}),
		async (datasets, requests) => {
			const lake = await lakes.open(...datasets);
			for (const request of requests) {
				const query = exploreRequest.parse(request);
				const answer = exploreResponse.parse(await lake.lake.explore(query));
				const expected = exploreOracle(datasets, query);
				expect({
					...answer,
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
}, 300_000);
