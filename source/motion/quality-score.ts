import type {Profile, StreamProfile} from './profile.ts';

/** The version of the score: 1 was made of the action alone. */
export const qualityVersion = 2;

/** Input of the score: the interface's fields of these names, and the profile; null where one is unknown. */
export type QualityInput = {
	readonly frame_count: number;
	readonly duration_s: number;
	readonly psd_hf_ratio: number | null;
	readonly pause_fraction: number | null;
	readonly frozen_action_dims: number | null;
	readonly action_dims: number | null;
	readonly dt_jitter_ms: number | null;
	readonly dt_dropped_frames: number | null;
	readonly sync_skew_ratio: number | null;
	/** The longest run of still frames, in seconds. */
	readonly longestPause: number | null;
	readonly profile: Profile | null;
};

/** How much each part counts. A part that is unknown leaves its weight to the others. */
export const qualityWeights = {
	following: 0.2,
	scale: 0.1,
	offset: 0.1,
	lag: 0.1,
	jumps: 0.15,
	steadiness: 0.1,
	flow: 0.1,
	liveliness: 0.05,
	timing: 0.05,
	sync: 0.05,
} as const;

export type QualityPart = keyof typeof qualityWeights;

/** The worst part in words. */
export const qualityWords: Readonly<Record<QualityPart, string>> = {
	following: 'a joint does not follow its action',
	scale: 'a joint goes another way than its action',
	offset: 'a joint is off its action throughout',
	lag: 'the state comes too late, or before its action',
	jumps: 'a joint jumps and comes back',
	steadiness: 'it shakes',
	flow: 'it stands still for long',
	liveliness: 'joints never move',
	timing: 'frames are missing or irregular',
	sync: 'a camera is out of step',
};

/** From this score on a whole episode is accepted without a person. */
export const autoAcceptThreshold = 0.9;

/**
 * Where each part is worth 1 (`best`, and beyond it) and where 0 (`worst`); between them it is linear. `best` is beyond
 * what healthy recordings of several arms show, so that the score tells of faults and not of the task.
 */
const qualityRanges = {
	/** The rest of the gap between action and state beside gain, offset and lag, as a share of the action's range. */
	following: {best: 0.3, worst: 0.8},
	/** |1 − slope| of the state over the action. A gripper that holds something goes half its way. */
	scale: {best: 0.6, worst: 1.1},
	/** The mean gap as a share of the action's range. */
	offset: {best: 0.3, worst: 1},
	/** Seconds that the state comes late; frames that it comes early. */
	late: {best: 0.5, worst: 1.5},
	early: {best: 1, worst: 4},
	/** The farthest that a joint leaves its place for up to three frames, as a share of its range. */
	jumps: {best: 0.4, worst: 1},
	/** Share of the speed's power at 5 Hz and above. */
	steadiness: {best: 0.45, worst: 0.95},
	/** The longest pause as a share of the episode, and the share of still frames. */
	pause: {best: 0.35, worst: 0.95},
	stillness: {best: 0.8, worst: 1},
	/** Share of the action's dimensions that never move: a one-armed task leaves half of a pair at rest. */
	liveliness: {best: 0.6, worst: 1},
	/** Jitter as a share of the frame's period. */
	jitter: {best: 0.05, worst: 1},
	drops: {best: 0, worst: 0.05},
	sync: {best: 0.005, worst: 0.1},
} as const;

/** No part is worth less than this, so that one does not make the score nought. */
const leastWorth = 0.02;

/** A joint whose course spans less than so many times its RMS of Δ² trembles, and is not told to move. */
const trembling = 3;

/** One whose range is below this share of the third quartile of all is idle, or in other units: it is not judged. */
const idleShare = 0.2;

/**
 * How well an episode was recorded, between 0 and 1, of the episode alone: the weighted geometric mean of its parts, so
 * that no good part covers for a bad one. Only figures without a unit go in. It says nothing of how well the task was
 * done.
 *
 * @returns null without a motion
 */
export function qualityScore(
	input: QualityInput,
): {readonly score: number; readonly worst: QualityPart | null} | null {
	const parts = qualityParts(input);
	if (parts.flow === null) return null;
	let logarithm = 0;
	let weight = 0;
	let worst: QualityPart | null = null;
	let greatest = 0;
	for (const [part, share] of Object.entries(qualityWeights) as [QualityPart, number][]) {
		const value = parts[part];
		if (value === null) continue;
		const loss = -Math.log(Math.max(value, leastWorth)) * share;
		if (loss > greatest) {
			greatest = loss;
			worst = part;
		}
		logarithm -= loss;
		weight += share;
	}
	return {score: Math.exp(logarithm / weight), worst};
}

export function qualityParts(input: QualityInput): Record<QualityPart, number | null> {
	const {frame_count, duration_s, action_dims, frozen_action_dims, dt_jitter_ms, dt_dropped_frames} = input;
	const framePeriodMs = (duration_s / frame_count) * 1000;
	const jitter = worth('jitter', dt_jitter_ms === null ? null : dt_jitter_ms / framePeriodMs);
	const drops = worth('drops', dt_dropped_frames === null ? null : dt_dropped_frames / frame_count);
	const stillness = worth('stillness', input.pause_fraction);
	const pause = worth('pause', input.longestPause === null ? null : input.longestPause / duration_s);
	return {
		...followingParts(input.profile, frame_count / duration_s),
		steadiness: worth('steadiness', input.psd_hf_ratio),
		flow: stillness === null ? null : Math.min(stillness, pause ?? 1),
		liveliness: worth(
			'liveliness',
			action_dims && frozen_action_dims !== null ? frozen_action_dims / action_dims : null,
		),
		timing: jitter === null || drops === null ? null : Math.min(jitter, drops),
		sync: worth('sync', input.sync_skew_ratio),
	};
}

/** Of the worst of the joints that the action moves; the lag is their median. */
function followingParts(
	profile: Profile | null,
	fps: number,
): Record<'following' | 'scale' | 'offset' | 'lag' | 'jumps', number | null> {
	const {action, state, pairs} = profile ?? {};
	const parts = {following: null, scale: null, offset: null, lag: null, jumps: null} as Record<
		'following' | 'scale' | 'offset' | 'lag' | 'jumps',
		number | null
	>;
	const least = (part: 'following' | 'scale' | 'offset' | 'jumps', value: number | null) => {
		if (value !== null) parts[part] = Math.min(parts[part] ?? 1, value);
	};
	for (const stream of [action, state]) {
		const ranges = stream ? movingRanges(stream) : [];
		for (const [channel, range] of ranges.entries()) {
			if (range > 0) least('jumps', worth('jumps', (stream?.figures.spike[channel] as number) / range));
		}
	}
	if (!action || !pairs) return parts;
	const lags: number[] = [];
	const ranges = movingRanges(action);
	for (const [place, channel] of pairs.channels.entries()) {
		const range = ranges[channel] ?? 0;
		if (!(range > 0)) continue;
		least('following', worth('following', (pairs.rest[place] as number) / range));
		least('scale', worth('scale', Math.abs(pairs.gain[place] as number)));
		least('offset', worth('offset', Math.abs(pairs.offset[place] as number) / range));
		lags.push(pairs.lag[place] as number);
	}
	lags.sort((a, b) => a - b);
	const lag = lags[lags.length >> 1];
	if (lag !== undefined) parts.lag = lag > 0 ? worth('late', lag / fps) : worth('early', -lag);
	return parts;
}

/** The range of each channel in the episode; 0 where it trembles, or moves little beside the others. */
function movingRanges(stream: StreamProfile): number[] {
	const ranges = Array.from({length: stream.dims}, (_, channel) => steadyRange(stream, channel));
	const sorted = ranges.filter(range => range > 0).sort((a, b) => a - b);
	const least = idleShare * (sorted[Math.floor(0.75 * (sorted.length - 1))] ?? 0);
	return ranges.map(range => (range >= least ? range : 0));
}

function steadyRange({figures, course, dims}: StreamProfile, channel: number): number {
	let low = course[channel] as number;
	let high = low;
	for (let at = channel + dims; at < course.length; at += dims) {
		const value = course[at] as number;
		if (value < low) low = value;
		else if (value > high) high = value;
	}
	if (high - low < trembling * (figures.rough[channel] as number)) return 0;
	return (figures.high[channel] as number) - (figures.low[channel] as number);
}

function worth(range: keyof typeof qualityRanges, value: number | null): number | null {
	if (value === null || Number.isNaN(value)) return null;
	const {best, worst} = qualityRanges[range];
	return Math.min(1, Math.max(0, (worst - value) / (worst - best)));
}
