import {describe, expect, test} from 'vitest';
import {measureEpisode} from '../../../source/motion/episode-metrics.ts';
import {pairChannels, partsFor, profileEpisode} from '../../../source/motion/profile.ts';
import {createRandom} from '../../../source/sample/random.ts';
import {printOf} from '../../../source/service/siblings/duplicates.ts';
import {judge} from '../../../source/service/siblings/judgement.ts';
import {comparedEpisode, thresholdsWith} from '../../../source/service/siblings/traits.ts';

const fps = 30;
const parts = partsFor(240);

type Arm = {
	readonly frames?: number;
	readonly channels?: number;
	/** Channels that rest with noise of a tenth of a degree. */
	readonly resting?: number;
	readonly way?: 1 | -1;
	readonly change?: (stream: 'action' | 'state', value: number, frame: number, channel: number) => number;
	readonly task?: string;
};

const named = (channels: number) => {
	const names = Array.from({length: channels}, (_, channel) => `joint_${channel}.pos`);
	return {action: names, poses: names};
};

/** An arm that sweeps out and back, a follower three frames behind it. */
function episode(
	seed: string,
	{frames = 240, channels = 4, resting = 0, way = 1, change, task = 'Sweep'}: Arm,
) {
	const random = createRandom(seed);
	const pace = random.between(0.92, 1.08);
	const length = Math.round(frames * pace);
	const reach = Array.from({length: channels}, () => random.normal(60, 1.5));
	const phase = random.normal(0, 0.02);
	const noise = () => random.normal(0, 0.1);
	const at = (frame: number, channel: number) => {
		if (channel < resting) return 20 + channel + noise();
		const share = Math.max(0, frame) / length + phase;
		return way * (reach[channel] ?? 0) * Math.sin(Math.PI * share * (1 + (channel % 3))) + noise();
	};
	const fill = (stream: 'action' | 'state', lag: number) =>
		Float32Array.from({length: length * channels}, (_, place) => {
			const [frame, channel] = [Math.floor(place / channels), place % channels];
			const value = at(frame - lag, channel);
			return change ? change(stream, value, frame, channel) : value;
		});
	const action = {values: fill('action', 0), dims: channels};
	const state = {values: fill('state', 3), dims: channels};
	const names = named(channels);
	const profile = profileEpisode(action, state, pairChannels(names.action, names.poses), parts);
	const measured = measureEpisode({
		frames: length,
		fps,
		action,
		state,
		telemetry: [],
		timestamps: undefined,
		cameraSpans: [],
		profile,
	});
	return comparedEpisode(0, task, [], measured, profile, printOf(action, 240));
}

const group = (count: number, arm: (at: number) => Arm = () => ({})) =>
	Array.from({length: count}, (_, at) => ({...episode(`arm ${at}`, arm(at)), episodeIndex: at}));

const judged = (episodes: ReturnType<typeof group>, channels = 4) =>
	judge(episodes, named(channels), thresholdsWith(), parts);

const called = (judgements: ReturnType<typeof judged>) =>
	judgements.flatMap(({reasons}, at) => (reasons.length > 0 ? [`${at}: ${reasons.join('; ')}`] : []));

describe('siblings of every kind', () => {
	test('an arm that rests with noise of 0.1° accuses no episode, whatever the other arm does', () => {
		const resting = (at: number): Arm => ({
			channels: 8,
			resting: 4,
			// In four of them the resting arm is held exactly still, or trembles three times as much.
			change: (_, value, _frame, channel) =>
				channel >= 4 || at % 10 !== 3
					? value
					: at % 20 === 3
						? 20 + channel
						: 20 + channel + 3 * (value - 20 - channel),
		});
		expect(called(judged(group(40, resting), 8))).toEqual([]);
	});

	test('two ways of equal size are both ways of doing it', () => {
		expect(called(judged(group(40, at => ({way: at % 2 === 0 ? 1 : -1})))).length).toBeLessThanOrEqual(1);
	});

	test('one sibling, and none, leave an episode without oddness', () => {
		expect(judged(group(1))[0]).toMatchObject({doubt: null, siblings: 0, reasons: []});
		expect(judged(group(2))[0]).toMatchObject({doubt: null, siblings: 1, reasons: []});
	});

	test('a dead follower, other units and a double need no siblings', () => {
		const dead: Arm = {
			change: (stream, value, _, channel) => (stream === 'state' && channel === 1 ? 12 : value),
		};
		const units: Arm = {
			change: (stream, value, _, channel) => (stream === 'state' && channel === 1 ? value / 57.3 : value),
		};
		const few = [episode('a', dead), episode('b', units), episode('c', {}), episode('c', {})].map(
			(each, episodeIndex) => ({...each, episodeIndex}),
		);
		const tags = judged(few).map(judgement => judgement.tags);
		expect(tags[0]).toContain('dead-follower');
		expect(tags[1]).toContain('off-scale');
		expect(tags[2]).toContain('duplicate');
		expect(judged(few)[3]?.reasons).toContain('is the same recording as episode 2');
	});

	test('lengths that differ tenfold are judged by phase, and the long ones are not called for it', () => {
		const judgements = judged(group(40, at => ({frames: 100 * 10 ** ((at % 8) / 7)})));
		for (const {doubt} of judgements) expect(doubt).toBeGreaterThanOrEqual(0);
		expect(called(judgements).length).toBeLessThanOrEqual(2);
	});

	test('a channel without a value, and one that never changes, leave the others judged', () => {
		const odd = (at: number): Arm => ({
			change: (stream, value, _, channel) => {
				if (channel === 0) return Number.NaN;
				if (channel === 1) return 7;
				return at === 9 && stream === 'state' && channel === 2 ? value + 15 : value;
			},
		});
		const judgements = judged(group(30, odd));
		const doubts = judgements.map(({doubt}) => doubt ?? 0);
		expect(doubts.indexOf(Math.max(...doubts))).toBe(9);
		expect(called(judgements).length).toBeLessThanOrEqual(3);
		expect(judgements[9]?.tags).toContain('off-leader');
	});

	test('1,024 channels are judged', () => {
		const judgements = judged(
			group(12, at => ({
				channels: 1024,
				frames: 60,
				change: (stream, value, _, channel) =>
					at === 5 && stream === 'state' && channel === 700 ? value + 30 : value,
			})),
			1024,
		);
		expect(judgements[5]?.channels[0]?.name).toBe('joint_700.pos');
	});

	test('a leap in the middle is found, at its moment', () => {
		const gap = group(40);
		const whole = episode('with a gap', {});
		expect(judged([...gap, {...whole, episodeIndex: 40}])[40]?.reasons).toEqual([]);
		const jumped = episode('with a gap', {change: (_, value, frame) => (frame < 120 ? value : value + 14)});
		const judgement = judged([...gap, {...jumped, episodeIndex: 40}])[40];
		expect(judgement?.tags).toContain('suspect');
		expect(Math.abs((judgement?.moment ?? 99) - 4)).toBeLessThanOrEqual(1);
	});

	test('a group of which all are broken alike accuses none', () => {
		const dead = (): Arm => ({
			change: (stream, value, _, channel) => (stream === 'state' && channel === 1 ? 12 : value),
		});
		expect(called(judged(group(20, dead)))).toEqual([]);
	});

	test('a fault that 40 % share is still found, and nothing else is', () => {
		const off = (at: number): Arm => ({
			change: (stream, value, _, channel) =>
				stream === 'state' && channel === 2 && at % 5 < 2 ? value + 9 : value,
		});
		const judgements = judged(group(50, off));
		const found = judgements.filter(({tags}, at) => at % 5 < 2 && tags.includes('suspect')).length;
		const false_ = judgements.filter(({tags}, at) => at % 5 >= 2 && tags.includes('suspect')).length;
		expect(found).toBeGreaterThanOrEqual(16);
		expect(false_).toBeLessThanOrEqual(1);
	});

	test('a task with a letter too many is told, and judged with the others', () => {
		const typed = group(20, at => ({task: at === 4 ? 'Sweeep the table' : 'Sweep the table'}));
		const judgement = judged(typed)[4];
		expect(judgement?.reasons).toContain(
			`its task is written "Sweeep the table", the others' "Sweep the table"`,
		);
		expect(judgement?.siblings).toBe(19);
		const meant = group(20, at => ({task: at === 4 ? 'Sweep table 2' : 'Sweep table 1'}));
		expect(judged(meant)[4]?.tags).toEqual([]);
	});
});
