import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	localExploreRequest,
	localExploreResponse,
	sortFields,
} from '../../../../source/contract/local-explore.ts';
import {times} from '../../../faults/support/soak.ts';
import {arbitraryLake, arbitraryRequest} from '../arbitrary-lakes.ts';
import {exploreOracle} from '../explore-oracle.ts';
import {dataset, episode, type ModelDataset} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

/** The figure that an episode of the model is ordered by. */
function figureOf(
	datasets: readonly ModelDataset[],
	name: string,
	index: number,
	field: string,
): number | null {
	const found = datasets
		.find(({dataset_name}) => dataset_name === name)
		?.episodes.find(({episode_index}) => episode_index === index);
	if (!found) throw new Error(`${name} has no ${index}`);
	if (field === 'frame_count') return Number(found.frame_count);
	if (field === 'duration_s') return found.duration_s;
	const value = field === 'quality_score' ? found.quality_score : found.numbers[field];
	return value === undefined || value === null || !Number.isFinite(value) ? null : value;
}

/** Explore in any order, with tags: what every engine of the lake must do. */
export function localExploreConformance(lakes: TestLakes): void {
	test('an order of one’s own sorts the same result by any figure, stably, and pages fit together', async () => {
		const property = fc.asyncProperty(
			arbitraryLake,
			arbitraryRequest,
			fc.array(fc.record({by: fc.constantFrom(...sortFields), direction: fc.constantFrom('asc', 'desc')}), {
				minLength: 6,
				maxLength: 6,
			}),
			async (datasets, request, sorts) => {
				const lake = await lakes.open(...datasets);
				for (const sort of sorts) {
					const whole = localExploreRequest.parse({...request, limit: 200, offset: 0, sort});
					const {sort: _, ...plain} = whole;
					const expected = exploreOracle(datasets, plain);
					const sign = sort.direction === 'asc' ? 1 : -1;
					const ordered = expected.episodes
						.map((found, place) => ({
							place,
							id: found.episode_id,
							figure: figureOf(datasets, found.dataset_name, found.episode_index, sort.by),
						}))
						.sort((a, b) => {
							if (a.figure === null || b.figure === null) {
								return Number(a.figure === null) - Number(b.figure === null) || a.place - b.place;
							}
							return sign * (a.figure - b.figure) || a.place - b.place;
						})
						.map(({id}) => id);
					const ids: string[] = [];
					// Four pages of what there is, and one beyond.
					const limit = Math.max(1, Math.ceil(ordered.length / 4));
					for (let offset = 0; offset < ordered.length + limit; offset += limit) {
						const page = await lake.lake.localExplore({...whole, limit, offset});
						expect(localExploreResponse.parse(page).total).toBe(expected.total);
						ids.push(...page.episodes.map(({episode_id}) => episode_id));
					}
					expect(ids).toEqual(ordered);
				}
				await lake.lake.close();
			},
		);
		await fc.assert(property, {numRuns: times(4, 30), seed: 20_261_120, endOnFailure: true});
	}, 300_000);

	test('without a sort it is the lake’s own order, and the tags are counted as a facet under all filters', async () => {
		const lake = await lakes.open(
			dataset('a', [
				episode(0, {tags: ['suspect', 'too-long'], numbers: {doubt: 2.5}}),
				episode(1, {tags: ['suspect'], numbers: {doubt: 1.5}, task: 'wipe the table'}),
				episode(2, {tags: ['night']}),
			]),
			dataset('b', [episode(0, {numbers: {doubt: 0.3}})]),
		);
		const ask = (request: object) => lake.lake.localExplore(localExploreRequest.parse(request));
		const all = await ask({});
		expect(all.facets.by_tag).toEqual([
			{value: 'suspect', count: 2},
			{value: 'night', count: 1},
			{value: 'too-long', count: 1},
		]);
		expect(all.facets.by_tag_total_values).toBe(3);
		expect((await ask({tasks: ['wipe the table']})).facets.by_tag).toEqual([{value: 'suspect', count: 1}]);
		const places = (answer: Awaited<ReturnType<typeof ask>>) =>
			answer.episodes.map(({dataset_name, episode_index}) => `${dataset_name}${episode_index}`).join(' ');
		expect(places(all)).toBe('a0 a1 a2 b0');
		expect(places(await ask({sort: {by: 'doubt'}}))).toBe('a0 a1 b0 a2');
		expect(places(await ask({sort: {by: 'doubt', direction: 'asc'}}))).toBe('b0 a1 a0 a2');
		expect(places(await ask({sort: {by: 'doubt'}, order_desc: true}))).toBe('a0 a1 b0 a2');
		expect(all.episodes[0]?.metrics).toMatchObject({doubt: 2.5});
		// The interface's own answer says no more than it did.
		expect(Object.keys((await lake.explore()).facets)).not.toContain('by_tag');
	});

	test('what no episode can be ordered by is refused', () => {
		expect(localExploreRequest.safeParse({sort: {by: 'details'}}).success).toBe(false);
		expect(localExploreRequest.safeParse({sort: {by: 'doubt', direction: 'down'}}).success).toBe(false);
	});
}
