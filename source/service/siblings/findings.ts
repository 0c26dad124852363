import type {SuspectTag} from '../../contract/local-explore.ts';
import type {DeviationKind, Deviations} from '../../motion/deviations.ts';
import {quantile, sortedFinite} from '../../motion/robust.ts';
import type {ComparedEpisode} from './traits.ts';
import {channelList, figure, range, seconds} from './words.ts';

/** The names of the channels that are compared. */
export type ComparedNames = {readonly action: readonly string[]; readonly poses: readonly string[]};

/** One of them. */
export type ComparedChannel = {readonly stream: keyof ComparedNames; readonly name: string};

/** A reason that makes an episode suspect. */
export type Finding = {
	readonly tag: SuspectTag;
	/** In words, with the figures it rests on. */
	readonly reason: string;
	/** The channels that it is about, the oddest first; none where it is about the whole episode. */
	readonly channels: readonly ComparedChannel[];
	/** The stretch, in seconds of the episode; null where it is all of it. */
	readonly from: number | null;
	readonly until: number | null;
	/** In spreads of the siblings, and how many siblings are less far; null where none were needed. */
	readonly size: number | null;
	readonly beyond: number | null;
	/** In oddness for a suspect. */
	readonly doubt: number;
};

/** The deviation that a finding is made of. */
export type FindingSubject = {
	readonly group: readonly ComparedEpisode[];
	/** The episode's place in the group. */
	readonly at: number;
	readonly names: ComparedNames;
	readonly kind: DeviationKind;
	readonly deviations: Deviations;
};

type Sentence = {readonly tag: SuspectTag; readonly reason: string};

type Said = {
	readonly name: string;
	readonly value: number;
	readonly usual: number;
	/** The value is above the siblings' median. */
	readonly isMore: boolean;
	readonly size: number;
	/** The 5th and 95th percentile of a figure of the siblings. */
	readonly most: (of: (episode: ComparedEpisode) => number | null | undefined) => {
		low: number;
		high: number;
		median: number;
	};
	readonly channel: number;
	readonly moment: string;
};

const times = (logarithm: number) => `${figure(Math.exp(logarithm))}×`;
const spreads = (size: number) => `${figure(size)} × their spread`;
const count = (value: number) => `${value} ${value === 1 ? 'frame' : 'frames'}`;

const endsAt =
	(which: 'start' | 'end', tag: SuspectTag) =>
	({name, value, channel, most}: Said): Sentence => {
		const {low, high} = most(({profile}) => (profile?.state ?? profile?.action)?.figures[which][channel]);
		return {
			tag,
			reason: `${name} ${which}s far off at ${figure(value)}; 90 % of siblings ${which} at ${range(low, high)}`,
		};
	};

const reaches =
	(which: 'low' | 'high', word: string) =>
	({name, value, channel, isMore, most}: Said): Sentence => {
		const {low, high} = most(({profile}) => (profile?.action ?? profile?.state)?.figures[which][channel]);
		const only = isMore === (which === 'high') ? '' : 'only ';
		return {
			tag: 'odd-range',
			reason: `${name} goes ${word} ${only}to ${figure(value)}; 90 % of siblings reach ${range(low, high)}`,
		};
	};

const jumps =
	(what: string) =>
	({name, value, usual, moment}: Said): Sentence => ({
		tag: 'jump',
		reason: `${what} of ${name} jumps${moment}, ${times(value - usual)} as far as in the median sibling`,
	});

const follows = ({name, value, usual, size, moment}: Said): Sentence => ({
	tag: 'off-leader',
	reason: `${name} is ${figure(Math.abs(value - usual))} farther from its action${moment} than in the median sibling: ${spreads(size)}`,
});

const strays = ({name, value, usual, size, moment}: Said): Sentence => ({
	tag: 'off-course',
	reason: `${name} is at ${figure(value)}${moment}, where the median sibling is at ${figure(usual)}: ${spreads(size)}`,
});

const straysAlone = ({name, size, moment}: Said): Sentence => ({
	tag: 'off-course',
	reason: `${name} moves otherwise${moment} than the other joints would have it: ${spreads(size)}`,
});

const straysThroughout = ({name, size}: Said): Sentence => ({
	tag: 'off-course',
	reason: `its course is unlike the siblings' from end to end, most in ${name}: ${spreads(size)}`,
});

const followsThroughout = ({name, size}: Said): Sentence => ({
	tag: 'off-leader',
	reason: `its state follows unlike the siblings' from end to end, most in ${name}: ${spreads(size)}`,
});

const held =
	(what: string) =>
	({value, usual, moment}: Said): Sentence => ({
		tag: 'frozen',
		reason: `the ${what} does not change for ${count(Math.round(Math.exp(value) - 3))}${moment}; for ${Math.round(Math.exp(usual) - 3)} in the median sibling`,
	});

const late = ({value, usual}: Said) =>
	`${figure(Math.abs(value - usual))} frames ${value > usual ? 'later' : 'earlier'} than in the median sibling`;

/** A sentence and a tag a kind. */
const sentences: Readonly<Record<DeviationKind, (said: Said) => Sentence>> = {
	duration: ({isMore, value, most}) => {
		const {low, high} = most(({metrics}) => metrics.duration_s);
		return {
			tag: isMore ? 'too-long' : 'too-short',
			reason: `${seconds(Math.exp(value))}; 90 % of siblings take ${range(low, high)} s`,
		};
	},
	pause: ({value, most}) => ({
		tag: 'long-pause',
		reason: `stands still for ${seconds(value)}; 95 % of siblings for at most ${seconds(most(({traits}) => traits.longestPause).high)}`,
	}),
	'dropped-frames': ({value, most}) => {
		const {high} = most(({metrics}) => metrics.dt_dropped_frames);
		return {
			tag: 'dropped-frames',
			reason: `${count(value)} dropped; ${high > 0 ? `at most ${Math.ceil(high)} in 95 % of siblings` : 'none in 95 % of siblings'}`,
		};
	},
	'camera-skew': ({value, most}) => ({
		tag: 'out-of-step',
		reason: `a camera is ${seconds(value)} out of step; at most ${seconds(most(({metrics}) => (metrics.sync_skew_max_ms ?? Number.NaN) / 1000).high)} in 95 % of siblings`,
	}),
	start: endsAt('start', 'far-start'),
	end: endsAt('end', 'far-end'),
	low: reaches('low', 'down'),
	high: reaches('high', 'up'),
	path: ({name, value, usual, isMore}) => ({
		tag: isMore ? 'long-path' : 'short-path',
		reason: `${name} moves ${times(value - usual)} the distance of the median sibling`,
	}),
	'action-rough': ({name, value, usual, isMore}) =>
		isMore
			? {tag: 'jerky', reason: `jerk is ${times(value - usual)} the siblings' median in ${name}`}
			: {
					tag: 'too-smooth',
					reason: `the action of ${name} is smoother than any hand: ${times(value - usual)} the siblings' median jerk`,
				},
	'state-rough': ({name, value, usual, isMore}) =>
		isMore
			? {
					tag: 'noisy-state',
					reason: `the state of ${name} is ${times(value - usual)} as rough as in the median sibling`,
				}
			: {
					tag: 'too-smooth',
					reason: `the state of ${name} is smoother than a sensor's: ${times(value - usual)} the siblings' median roughness`,
				},
	'action-jump': jumps('the action'),
	'state-jump': jumps('the state'),
	'action-spike': jumps('the action'),
	'state-spike': jumps('the state'),
	'action-held': held('action'),
	'state-held': held('state'),
	offset: ({name, value, channel, most}) => {
		const {low, high} = most(({profile}) => profile?.pairs?.offset[channel]);
		const usual = figure(Math.max(Math.abs(low), Math.abs(high)));
		return {
			tag: 'off-leader',
			reason: `${name} rests ${figure(Math.abs(value))} off its leader; 90 % of siblings ${usual === '0' ? 'do not' : `within ${usual}`}: recalibrate?`,
		};
	},
	gain: ({name, value, usual, size}) => ({
		tag: 'off-scale',
		reason: `the state of ${name} goes ${Math.round((1 - value) * 100)} % as far as its action; ${Math.round((1 - usual) * 100)} % in the median sibling, ${spreads(size)}`,
	}),
	lag: said => ({tag: 'lag', reason: `the state follows ${late(said)}`}),
	'joint-lag': said => ({tag: 'lag', reason: `the state of ${said.name} follows ${late(said)}`}),
	rest: ({name, value, usual}) => ({
		tag: 'off-leader',
		reason: `${name} follows its action ${times(value - usual)} as badly as in the median sibling`,
	}),
	course: strays,
	'whole-course': straysThroughout,
	'course-rest': straysAlone,
	'whole-course-rest': straysThroughout,
	gap: follows,
	'whole-gap': followsThroughout,
	'gap-rest': follows,
	'whole-gap-rest': followsThroughout,
	pace: ({value, usual, moment}) => ({
		tag: 'off-pace',
		reason: `takes ${times(value - usual)} as long as the median sibling for the phase${moment}`,
	}),
	phase: ({moment, value, usual}) => ({
		tag: 'off-pace',
		reason: `runs ${value > usual ? 'behind' : 'ahead of'} its siblings${moment}`,
	}),
};

const stateKinds = new Set<DeviationKind>(['start', 'end', 'state-rough', 'state-jump', 'state-spike']);

/** Says a deviation. Pairs are named by the action's channel. */
export function findingOf({group, at, names, kind, deviations}: FindingSubject, doubt: number): Finding {
	const episode = group[at] as ComparedEpisode;
	const duration = episode.metrics.duration_s;
	const of = (values: Float64Array) => values[at] as number;
	const channel = deviations.channel[at] as number;
	const stream = stateKinds.has(kind) || names.action.length === 0 ? 'poses' : 'action';
	const name = names[stream][channel];
	const shares = [of(deviations.from), of(deviations.until)];
	const [from, until] = shares.map(share =>
		Number.isFinite(share) ? hundredths(Math.min(1, Math.max(0, share)) * duration) : null,
	) as [number | null, number | null];
	const most: Said['most'] = figureOf => {
		const others = sortedFinite(
			group.flatMap((each, place) => (place === at ? [] : [figureOf(each) ?? Number.NaN])),
		);
		return {low: quantile(others, 0.05), high: quantile(others, 0.95), median: quantile(others, 0.5)};
	};
	const sentence = sentences[kind]({
		name: name === undefined ? 'the arm' : channelList([name]),
		value: of(deviations.value),
		usual: of(deviations.usual),
		isMore: of(deviations.value) > of(deviations.usual),
		size: of(deviations.size),
		most,
		channel: kind === 'offset' ? pairPlace(episode, channel, names) : channel,
		moment: from === null ? '' : ` at ${seconds(from)}`,
	});
	return {
		...sentence,
		channels: name === undefined ? [] : [{stream, name}],
		from,
		until,
		size: hundredths(of(deviations.size)),
		beyond: deviations.size.reduce((less, size) => less + (size < of(deviations.size) ? 1 : 0), 0),
		doubt,
	};
}

/** A pair's place among the pairs, by its action's channel. */
function pairPlace(_: ComparedEpisode, channel: number, names: ComparedNames): number {
	if (!names.action.some(name => names.poses.includes(name))) return channel;
	return names.action.slice(0, channel).filter(name => names.poses.includes(name)).length;
}

const hundredths = (value: number) => Math.round(value * 100) / 100;
