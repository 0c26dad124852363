import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {signsFor} from '../../../source/components/signs.ts';
import type {Histogram} from '../../../source/contract/local-distribution.ts';
import {distributionLines, keptShare} from '../../../source/panes/filter/distribution-words.ts';
import {sampleDistribution} from '../../../source/store/episodes/distribution.ts';

const even: Histogram = {
	count: 100,
	missing: 7,
	min: 0,
	median: 5,
	max: 10,
	low: 0,
	high: 10,
	bins: Array.from({length: 10}, () => 10),
};

const ascii = createScreen({colour: false, attributes: false, ascii: true}, signsFor({unicode: false}));

const texts = (isSample: boolean, threshold?: {op: 'gte' | 'lt'; value: number}, width = 80) =>
	distributionLines({of: {field: 'sparc'}, histogram: even, isSample}, threshold, {screen: ascii, width}).map(
		segments => segments.map(segment => (typeof segment === 'string' ? segment : segment.text)).join(''),
	);

test.each([
	[{op: 'gte', value: 8}, 0.2],
	[{op: 'gt', value: 2.5}, 0.75],
	[{op: 'lt', value: 2.5}, 0.25],
	[{op: 'gte', value: -1}, 1],
	[{op: 'lt', value: -1}, 0],
	[{op: 'gt', value: 11}, 0],
	[{op: 'lte', value: 10}, 1],
	[{op: 'gte', value: 0}, 1],
] as const)('of bars of one height %j keeps %d', (threshold, share) => {
	expect(keptShare(even, threshold)).toBeCloseTo(share);
});

test('no episodes pass of none, and half are estimated where the threshold is the only value', () => {
	const none: Histogram = {
		...even,
		count: 0,
		min: null,
		median: null,
		max: null,
		low: null,
		high: null,
		bins: [],
	};
	expect(keptShare(none, {op: 'gt', value: 1})).toBeUndefined();
});

test('the threshold stands among the bars, and the share that passes below them', () => {
	expect(texts(false, {op: 'gte', value: 8})).toEqual([
		' sparc 0 ########|## 10',
		' >=8 keeps about 20% of 100 - median 5 - 7 without it',
	]);
	expect(texts(true)).toEqual([
		' sparc 0 ########## 10',
		' of the 100 loaded (sample) - median 5 - 7 without it',
	]);
});

test('without bars, the words tell if episodes lack the figure or there are none at all', () => {
	const words = (missing: number, isSample: boolean) => {
		const histogram = {...even, count: 0, missing, low: null, high: null, bins: []};
		const [[line] = []] = distributionLines({of: {field: 'sparc'}, histogram, isSample}, undefined, {
			screen: ascii,
			width: 80,
		});
		return line;
	};
	const said = [words(0, false), words(12, false), words(0, true), words(12, true)];
	expect(said).toEqual(
		[
			' nothing matches without this comparison either: no sparc to compare',
			' none of 12 episodes has sparc',
			' no episodes loaded to compare sparc',
			' none of 12 episodes read has sparc',
		].map(text => ({text, role: 'dim'})),
	);
});

test('where there is no room the name goes first', () => {
	expect(texts(false, undefined, 16)[0]).toBe(' 0 ########## 10');
});

test('loaded episodes are counted as the service counts all of them', () => {
	const episodes = Array.from({length: 101}, (_, place) => ({
		episode_id: '',
		dataset_id: '',
		dataset_name: '',
		episode_index: place,
		frame_count: place,
		duration_seconds: place,
		review_state: '',
		metrics: place % 2 === 0 ? {sparc: -place} : {},
	}));
	const durations = sampleDistribution(episodes, 'duration_s', 10);
	expect(durations).toMatchObject({count: 101, missing: 0, min: 0, median: 50, max: 100, low: 1, high: 99});
	expect(durations.bins.reduce<number>((sum, bin) => sum + Number(bin), 0)).toBe(101);
	expect(sampleDistribution(episodes, 'sparc', 10)).toMatchObject({count: 51, missing: 50, min: -100});
	expect(sampleDistribution(episodes, 'ldlj', 10)).toMatchObject({count: 0, missing: 101, bins: []});
});
