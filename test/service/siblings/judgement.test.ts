import {describe, expect, test} from 'vitest';
import {measureEpisode} from '../../../source/motion/episode-metrics.ts';
import {pairChannels, profileEpisode} from '../../../source/motion/profile.ts';
import {sharedOffsets, siblingGroups} from '../../../source/service/siblings/dataset-summary.ts';
import {judge as judgeIn} from '../../../source/service/siblings/judgement.ts';
import {
	type ComparedEpisode,
	comparedEpisode,
	type Thresholds,
	thresholdsWith,
} from '../../../source/service/siblings/traits.ts';

const fps = 30;
const names = {action: ['pan.pos', 'grip.pos'], poses: ['pan.pos', 'grip.pos']};
const parts = 64;

const judge = (episodes: readonly ComparedEpisode[], of: typeof names, thresholds: Thresholds) =>
	judgeIn(episodes, of, thresholds, parts);

/** A sweep out and back of `seconds`, its pan up to `reach`; the follower reads `offset` less. */
function sweep({
	seconds = 10,
	reach = 60,
	offset = 0,
	task = 'Sweep',
	faults = [] as string[],
	drops = 0,
} = {}) {
	const frames = seconds * fps;
	const action = Float32Array.from({length: 2 * frames}, (_, place) => {
		const share = Math.floor(place / 2) / (frames - 1);
		const bow = Math.sin(Math.PI * Math.min(1, Math.max(0, (share - 0.1) / 0.8))) ** 2;
		return place % 2 === 0 ? reach * bow : 20 - 10 * bow;
	});
	const state = action.map((value, place) => (place % 2 === 0 ? value - offset : value));
	const measured = measureEpisode({
		frames,
		fps,
		action: {values: action, dims: 2},
		state: {values: state, dims: 2},
		telemetry: [],
		timestamps: Float64Array.from({length: frames}, (_, frame) => (frame + (frame > 100 ? drops : 0)) / fps),
		cameraSpans: [],
	});
	const pairs = pairChannels(names.action, names.poses);
	const profile = profileEpisode({values: action, dims: 2}, {values: state, dims: 2}, pairs, parts);
	return comparedEpisode(0, task, faults, measured, profile);
}

/** Siblings that differ a little, as people's do. */
const siblings = (count: number) =>
	Array.from({length: count}, (_, at) => sweep({seconds: 9 + (at % 3), reach: 56 + (at % 5)}));

const verdict = (episodes: Parameters<typeof judge>[0], thresholds = {}) =>
	judge(episodes, names, thresholdsWith(thresholds)).at(-1);

describe('an episode beside its siblings', () => {
	test('is suspect for what is unlike them, in words with figures, the worst first', () => {
		expect(verdict([...siblings(12), sweep({seconds: 41})])).toMatchObject({
			reasons: expect.arrayContaining(['41 s; 90 % of siblings take 9–11 s']),
			tags: expect.arrayContaining(['suspect', 'too-long']),
			siblings: 12,
		});
		expect(verdict([...siblings(12), sweep({offset: 17})])?.reasons).toContain(
			'pan rests 17 off its leader; 90 % of siblings do not: recalibrate?',
		);
		expect(verdict([...siblings(12), sweep({offset: 17})])?.channels).toContainEqual({
			stream: 'action',
			name: 'pan.pos',
		});
		expect(verdict([...siblings(12), sweep({seconds: 41})])?.channels).toEqual([]);
		expect(verdict([...siblings(12), sweep({drops: 7})])).toMatchObject({
			reasons: ['7 frames dropped; none in 95 % of siblings'],
			tags: ['suspect', 'dropped-frames'],
		});
		// What most stay within lies between two counts; frames are whole.
		const others = [...siblings(12), sweep({drops: 1}), sweep({drops: 2})];
		expect(verdict([...others, sweep({drops: 9})])?.reasons).toEqual([
			'9 frames dropped; at most 2 in 95 % of siblings',
		]);
		expect(verdict([...siblings(12), sweep({reach: 140})])?.reasons).toContain(
			'pan goes up to 140; 90 % of siblings reach 56–60',
		);
	});

	test('with a joint that never moves says in how many of them it does', () => {
		const still = sweep({reach: 0});
		const reasons = (count: number) => verdict([...siblings(count), still])?.reasons;
		expect(reasons(12)).toContain('pan never moves (moves in 12 of 12 siblings)');
		expect(verdict([...siblings(30), sweep({reach: 0}), still])?.reasons).toContain(
			'pan never moves (moves in 30 of 31 siblings)',
		);
	});

	test('as long as they are is not suspect, but has a doubt to be ordered by', () => {
		const judged = verdict([...siblings(12), sweep({seconds: 10, reach: 58})]);
		expect(judged).toMatchObject({reasons: [], tags: []});
		expect(judged?.doubt).toBeLessThan(1);
	});

	test('of whom there are too few has no doubt at all', () => {
		expect(verdict([...siblings(7), sweep({seconds: 41})])).toMatchObject({
			reasons: [],
			channels: [],
			tags: [],
			doubt: null,
			siblings: 7,
		});
		expect(verdict([...siblings(7), sweep({seconds: 41})], {siblings: 5})?.tags).toContain('too-long');
	});

	test('is set against those of its own task alone', () => {
		const others = Array.from({length: 12}, () => sweep({seconds: 40, task: 'Polish'}));
		expect(verdict([...siblings(12), ...others, sweep({seconds: 40})])?.tags).toContain('too-long');
		expect(verdict([...siblings(12), ...others, sweep({seconds: 40, task: 'Polish'})])?.tags).toEqual([]);
	});

	test('that is broken is so without any, and spoils nobody else’s comparison', () => {
		const broken = sweep({faults: ['it has 20 frames where the metadata says 300'], seconds: 1});
		expect(verdict([broken])).toMatchObject({
			reasons: ['it has 20 frames where the metadata says 300'],
			channels: [],
			tags: ['suspect', 'broken'],
			doubt: 100,
			siblings: 0,
		});
		const many = Array.from({length: 20}, () => broken);
		expect(verdict([...many, ...siblings(12), sweep()])?.reasons).toEqual([]);
	});

	test('in a way that several of them have is one of the ways it is done', () => {
		const another = Array.from({length: 12}, (_, at) =>
			sweep({reach: 120 + (at % 4), seconds: 9 + (at % 3)}),
		);
		expect(verdict([...siblings(40), ...another])?.tags).not.toContain('odd-range');
		expect(verdict([...siblings(40), sweep({reach: 120})])?.tags).toContain('odd-range');
	});

	test('is worth a word only beyond the thresholds of the configuration', () => {
		const odd = [...siblings(12), sweep({seconds: 20})];
		expect(verdict(odd)?.tags).toContain('too-long');
		expect(verdict(odd, {whole: 20})?.tags).not.toContain('too-long');
	});
});

test('a follower that is off its leader in all episodes is a fault of the recording, and of no episode', () => {
	const off = Array.from({length: 10}, (_, at) => sweep({offset: 17, reach: 56 + (at % 5)}));
	expect(judge(off, names, thresholdsWith()).flatMap(({tags}) => tags)).toEqual([]);
	expect(sharedOffsets(off, names.action)).toEqual([
		'In 10 of 10 episodes the follower is off its leader at rest in pan, by 17 in the median: recalibrate?',
	]);
	expect(sharedOffsets([...off.slice(0, 5), ...siblings(5)], names.action)).toEqual([]);
	expect(sharedOffsets(off.slice(0, 2), names.action)).toEqual([]);
	expect(sharedOffsets(siblings(10), names.action)).toEqual([]);
});

test('the siblings of a task are summed up in medians and in what nine of ten stay within', () => {
	const groups = siblingGroups([...siblings(15), sweep({task: 'Alone'})], names, 8);
	expect(groups).toHaveLength(1);
	expect(groups[0]).toMatchObject({task: 'Sweep', episodes: 15, seconds: 10});
	expect(groups[0]?.speed).toHaveLength(48);
	const [pan, grip] = groups[0]?.channels ?? [];
	expect(pan).toMatchObject({name: 'pan.pos', low: 0, usual_low: 0});
	expect(pan?.usual_high).toBeCloseTo(58, 1);
	expect(pan?.high).toBeCloseTo(60, 1);
	expect(grip?.usual_low).toBeCloseTo(10, 1);
});
