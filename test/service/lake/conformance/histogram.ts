import {expect, test} from 'vitest';
import {type HistogramRequest, histogramRequest} from '../../../../source/contract/local-distribution.ts';
import {dataset, episode, type ModelChannel} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

const gripper = (max: number, native_index = 0): ModelChannel => ({
	stream: 'action',
	channel: 'gripper.pos',
	native_channel: 'action.gripper.pos',
	native_index,
	max,
	min: -max,
	mean: 0,
	std: 1,
});

const elbow = (max: number, native_index = 0): ModelChannel => ({
	...gripper(max, native_index),
	channel: 'elbow.pos',
	native_channel: 'action.elbow.pos',
});

/** Histograms and channels: what every engine of the lake must do. */
export function histogramConformance(lakes: TestLakes): void {
	async function histogramOf(lake: Awaited<ReturnType<typeof lakes.open>>, request: HistogramRequest) {
		return await lake.lake.histogram(histogramRequest.parse(request));
	}

	test('the bars count every episode of the result once, those without the figure apart', async () => {
		const episodes = Array.from({length: 200}, (_, index) =>
			episode(index, {
				duration_s: index,
				quality_score: index < 50 ? null : 0.5,
				tier: index % 2 ? null : 'retrainable',
			}),
		);
		const lake = await lakes.open(dataset('a', episodes));
		const whole = await histogramOf(lake, {of: {field: 'duration_s'}, bins: 10});
		expect(whole).toMatchObject({count: 200, missing: 0, min: 0, max: 199, median: 99.5});
		expect(whole.bins).toHaveLength(10);
		expect(whole.bins.reduce<number>((sum, bin) => sum + Number(bin), 0)).toBe(200);
		expect(Math.max(...whole.bins.map(Number)) - Math.min(...whole.bins.map(Number))).toBeLessThanOrEqual(3);
		const part = await histogramOf(lake, {
			of: {field: 'duration_s'},
			filter: {tiers: ['retrainable'], numeric_predicates: [{field: 'duration_s', op: 'lt', value: 100}]},
		});
		expect(part).toMatchObject({count: 50, max: 98});
		const scores = await histogramOf(lake, {of: {field: 'quality_score'}});
		expect(scores).toMatchObject({count: 150, missing: 50, low: 0.5, high: 0.5, bins: [150]});
		const none = await histogramOf(lake, {of: {field: 'sparc'}});
		expect(none).toMatchObject({count: 0, missing: 200, min: null, low: null, bins: []});
	});

	test('one outlier does not leave one bar: what lies beyond the 99th percentile is in the outermost', async () => {
		const episodes = Array.from({length: 1000}, (_, index) =>
			episode(index, {numbers: {jerk_mean: index === 7 ? 1e9 : index % 100}}),
		);
		const {bins, high, max} = await histogramOf(await lakes.open(dataset('a', episodes)), {
			of: {field: 'jerk_mean'},
			bins: 20,
		});
		expect(max).toBe(1e9);
		expect(high).toBeLessThan(100);
		expect(bins.filter(bin => bin !== 0)).toHaveLength(20);
	});

	test('a channel is counted where its layout has it, whatever else lies in its slot', async () => {
		const lake = await lakes.open(
			dataset('a', [episode(0, {channels: [gripper(10), elbow(1, 1)]})]),
			dataset('b', [episode(0, {channels: [elbow(2)]}), episode(1, {channels: [elbow(3)]})]),
		);
		const of = {stream: 'action', channel: 'elbow.pos', agg: 'max'} as const;
		expect(await histogramOf(lake, {of})).toMatchObject({count: 3, missing: 0, min: 1, max: 3});
		const grip = await histogramOf(lake, {of: {...of, channel: 'gripper.pos'}});
		expect(grip).toMatchObject({count: 1, missing: 2, max: 10});
		expect(await histogramOf(lake, {of: {...of, channel: 'no such'}})).toMatchObject({count: 0, missing: 3});
		expect((await lake.lake.channels()).items).toEqual([
			{stream: 'action', channel: 'elbow.pos', episodes: 3},
			{stream: 'action', channel: 'gripper.pos', episodes: 1},
		]);
	});
}
