import {expect, test} from 'vitest';
import type {ExploreResponse} from '../../source/contract/explore.ts';
import {dataset, episode} from '../service/lake/lake-model.ts';
import {testLakes} from '../service/lake/test-lake.ts';
import {patience, times} from './support/soak.ts';

const lakes = testLakes();

/** A generation of a dataset: how many episodes, how long, and their tasks all tell its number. */
function generation(name: string, number: number) {
	const count = 10 + 7 * number;
	const episodes = Array.from({length: count}, (_, index) =>
		episode(index, {
			task: `${name} ${number}`,
			tier: index % 3 === 0 ? 'analyze_only' : 'retrainable',
			frame_count: BigInt(100 + number),
			duration_s: number,
			numbers: {speed_mean: number},
		}),
	);
	return dataset(name, episodes);
}

const sum = (counts: ReadonlyArray<{count: number | bigint}>) =>
	counts.reduce((total, {count}) => total + Number(count), 0);

/** What an answer says of each dataset's generation must be one story, told by page, totals and facets alike. */
function check(answer: ExploreResponse): string {
	const {episodes, facets, total, total_frames, total_duration_seconds} = answer;
	const told = facets.by_task.map(({value, count}) => {
		const [name = '', number = ''] = value.split(' ');
		return {name, number: Number(number), count: Number(count)};
	});
	expect(told.map(({name}) => name).toSorted()).toEqual(['a', 'b']);
	for (const {number, count} of told) expect(count).toBe(10 + 7 * number);
	expect(Number(total)).toBe(sum(facets.by_task));
	expect(Number(total)).toBe(sum(facets.by_tier));
	expect(Number(facets.by_task_total_values)).toBe(2);
	expect(Number(total_frames)).toBe(
		told.reduce((frames, {number, count}) => frames + count * (100 + number), 0),
	);
	expect(total_duration_seconds).toBeCloseTo(
		told.reduce((seconds, {number, count}) => seconds + count * number, 0),
		6,
	);
	expect(episodes).toHaveLength(Math.min(200, Number(total)));
	for (const {name, number} of told) {
		const own = episodes.filter(({dataset_name}) => dataset_name === name);
		expect(new Set(own.map(({task}) => task)).size).toBeLessThanOrEqual(1);
		for (const {task} of own.slice(0, 1)) expect(task).toBe(`${name} ${number}`);
		expect(new Set(own.map(({dataset_version_id}) => dataset_version_id)).size).toBeLessThanOrEqual(1);
	}
	return told.map(({name, number}) => `${name}${number}`).join();
}

const wanted = times(200, 1000);

test(
	'each explore while generations publish is of one generation: page, totals and facets agree',
	async () => {
		const numbers = 5;
		const lake = await lakes.open(generation('a', 1), generation('b', 1));
		let explored = 0;
		const seen = new Set<string>();
		const explorer = async () => {
			while (explored < wanted) {
				explored++;
				seen.add(check(await lake.explore({limit: 200, order_desc: explored % 2 === 0})));
			}
		};
		let published = 0;
		const publisher = async () => {
			for (let n = 1; explored < wanted; n++) {
				await lake.publish(generation(n % 2 === 0 ? 'a' : 'b', 1 + (n % numbers)));
				published++;
			}
		};
		await Promise.all([...Array.from({length: 4}, explorer), publisher()]);
		expect(published).toBeGreaterThan(2);
		expect(seen.size).toBeGreaterThan(1);
	},
	patience(wanted, 100),
);
