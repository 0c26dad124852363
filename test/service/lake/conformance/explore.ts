import {describe, expect, test} from 'vitest';
import {exploreResponse} from '../../../../source/contract/explore.ts';
import {dataset, episode, type ModelChannel} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

function channel(
	name: string,
	native_index: number,
	max: number,
	stream: 'action' | 'state' = 'action',
): ModelChannel {
	const native_channel = `${stream}.${name}`;
	return {stream, channel: name, native_channel, native_index, max, min: -max, mean: 0, std: 1};
}

/** Explore (section 4.1): what every engine of the lake must do. */
export function exploreConformance(lakes: TestLakes): void {
	test('several tags mean all of them', async () => {
		const lake = await lakes.open(
			dataset('a', [episode(0, {tags: ['good']}), episode(1, {tags: ['night', 'good']}), episode(2)]),
		);
		const found = async (tags: string[]) =>
			(await lake.explore({tags})).episodes.map(({episode_index}) => episode_index);
		expect(await found(['good'])).toEqual([0, 1]);
		expect(await found(['good', 'night'])).toEqual([1]);
		expect(await found(['good', 'good'])).toEqual([0, 1]);
	});

	test('an episode of no tier is listed and asked for as the empty tier', async () => {
		const lake = await lakes.open(dataset('a', [episode(0, {tier: null}), episode(1)]));
		const {facets, total} = await lake.explore({tiers: ['']});
		expect(total).toBe(1);
		expect(facets.by_tier).toEqual([
			{value: '', count: 1},
			{value: 'retrainable', count: 1},
		]);
	});

	test('a facet lists its 512 most common values and counts the rest', async () => {
		const long = 'x'.repeat(2049);
		const episodes = Array.from({length: 600}, (_, index) => episode(index, {task: `task ${index % 580}`}));
		const lake = await lakes.open(
			dataset('a', [
				...episodes,
				episode(600, {task: long}),
				episode(601, {task: long}),
				episode(602, {task: long}),
			]),
		);
		const {facets} = await lake.explore();
		expect(facets.by_task).toHaveLength(512);
		expect(facets.by_task.slice(0, 20).every(({count}) => count === 2)).toBe(true);
		expect(facets.by_task_total_values).toBe(581);
		const alone = await lake.explore({tasks: [long]});
		expect(alone.total).toBe(3);
	});

	describe('channel predicates', () => {
		test('each episode carries its evidence, and the response that of the first', async () => {
			const lake = await lakes.open(
				dataset('a', [
					episode(0, {channels: [channel('grip', 0, 1)]}),
					episode(1, {channels: [channel('grip', 0, 7)]}),
				]),
				dataset('b', [episode(0, {channels: [channel('elbow', 0, 9), channel('grip', 5, 8)]})]),
			);
			const answer = await lake.explore({
				channel_predicates: [
					{channel: 'grip', agg: 'max', op: 'gte', value: 7},
					{channel: 'grip', agg: 'min', op: 'lt', value: 0},
				],
			});
			const evidence = answer.episodes.map(found => found.channel_predicate_evidence);
			expect(evidence[0]).toEqual(answer.channel_predicate_evidence);
			expect(evidence).toMatchObject([
				[
					{predicate_index: 0, observed_value: 7, native_index: 0},
					{predicate_index: 1, observed_value: -7, threshold: 0},
				],
				[{observed_value: 8, native_index: 5, native_channel: 'action.grip'}, {observed_value: -8}],
			]);
			const plain = await lake.explore();
			expect(plain.episodes[0]).not.toHaveProperty('channel_predicate_evidence');
		});

		test('are answered for datasets of ever more channels', async () => {
			const wide = (count: number) =>
				Array.from({length: count}, (_, index) => channel(`joint ${index}`, index, index, 'state'));
			const lake = await lakes.open(
				dataset('narrow', [episode(0, {channels: wide(2).reverse()})]),
				dataset('wide', [episode(0, {channels: wide(70)})]),
			);
			await lake.reopen();
			const ask = async (name: string, value: number) =>
				(
					await lake.explore({
						channel_predicates: [{stream: 'state', channel: name, agg: 'max', op: 'gte', value}],
					})
				).episodes.map(({dataset_name}) => dataset_name);
			expect(await ask('joint 1', 1)).toEqual(['narrow', 'wide']);
			expect(await ask('joint 69', 69)).toEqual(['wide']);
			expect(await ask('joint 69', 70)).toEqual([]);
			expect(await ask('joint', 0)).toEqual([]);
		});

		test('more channels than can be held are left out and named', async () => {
			const channels = Array.from({length: 1026}, (_, index) => channel(`c${index}`, index, 1));
			const lake = await lakes.open(dataset('a', [episode(0, {channels})]));
			const {items} = await lake.lake.datasets({limit: 1, sort: 'newest'});
			expect(items[0]?.metadata).toMatchObject({
				problems: [{message: '1026 channels, of which the first 1024 can be asked for and 2 cannot'}],
			});
			const ask = async (name: string) =>
				(await lake.explore({channel_predicates: [{channel: name, agg: 'max', op: 'gt', value: 0}]})).total;
			expect([await ask('c1023'), await ask('c1024')]).toEqual([1, 0]);
		});
	});

	describe('numbers JSON has no word for', () => {
		test('are not measured, so they satisfy nothing and are shown as null', async () => {
			const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
			const lake = await lakes.open(
				dataset(
					'a',
					odd.map((value, index) =>
						episode(index, {
							duration_s: value,
							quality_score: value,
							numbers: {sparc: value},
							channels: [channel('grip', 0, value)],
						}),
					),
				),
			);
			const answer = await lake.explore();
			expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
			expect(answer.episodes[1]).toMatchObject({
				duration_seconds: 0,
				quality_score: null,
				metrics: {sparc: null},
			});
			for (const op of ['gt', 'lt', 'gte', 'lte'] as const) {
				expect((await lake.explore({numeric_predicates: [{field: 'sparc', op, value: 0}]})).total).toBe(0);
				const ask = await lake.explore({channel_predicates: [{channel: 'grip', agg: 'max', op, value: 0}]});
				expect(ask.total).toBe(0);
			}
		});

		test('do not come from adding up', async () => {
			const lake = await lakes.open(
				dataset('a', [
					episode(0, {duration_s: 1.5e308, frame_count: 2n ** 64n - 1n}),
					episode(1, {duration_s: 1.5e308, frame_count: 2n ** 64n - 1n}),
				]),
			);
			const answer = exploreResponse.parse(await lake.explore());
			expect(answer.total_duration_seconds).toBe(Number.MAX_VALUE);
			expect(answer.total_frames).toBe(2n ** 64n - 1n);
			expect(answer.episodes[0]?.frame_count).toBe(2n ** 64n - 1n);
			expect(await lake.lake.totals()).toMatchObject({frames: 2n ** 64n - 1n});
		});
	});

	test('metrics hold the measurements and as many details as there is room for', async () => {
		const details = Object.fromEntries(Array.from({length: 200}, (_, index) => [`detail ${index}`, index]));
		const lake = await lakes.open(
			dataset('a', [
				episode(0, {
					numbers: {sparc: -4.5},
					details: `{"sparc":"mine","__proto__":{"x":1},${JSON.stringify(details).slice(1)}`,
				}),
				episode(1),
			]),
		);
		const [first, second] = (await lake.explore()).episodes;
		const metrics = first?.metrics ?? {};
		expect(Object.keys(metrics)).toHaveLength(128);
		expect(metrics.sparc).toBe(-4.5);
		expect(metrics['detail 0']).toBe(0);
		expect(Object.getOwnPropertyDescriptor(metrics, '__proto__')?.value).toEqual({x: 1});
		expect(second?.metrics).toMatchObject({sparc: null, pause_count: null});
	});

	test('a page reaches over datasets, in both directions and beyond the end', async () => {
		const three = [0, 1, 2].map(index => episode(index));
		const lake = await lakes.open(dataset('c', three), dataset('a', three), dataset('b', three));
		const page = async (offset: number, order_desc = false) =>
			(await lake.explore({offset, limit: 4, order_desc})).episodes
				.map(({dataset_name, episode_index}) => `${dataset_name}${episode_index}`)
				.join(' ');
		expect(await page(0)).toBe('a0 a1 a2 b0');
		expect(await page(2)).toBe('a2 b0 b1 b2');
		expect(await page(7)).toBe('c1 c2');
		expect(await page(9)).toBe('');
		expect(await page(4_294_967_295)).toBe('');
		expect(await page(0, true)).toBe('c2 c1 c0 b2');
		expect(await page(5, true)).toBe('b0 a2 a1 a0');
	});
}
