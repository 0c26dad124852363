import type {ChannelPair, Profile} from '../../motion/profile.ts';
import {quantile, sortedFinite} from '../../motion/robust.ts';
import type {ComparedNames, Finding} from './findings.ts';
import {suspectFrom} from './oddness.ts';
import type {ComparedEpisode} from './traits.ts';
import {channelList, figure} from './words.ts';

/** The doubt of a fault that has no degrees, in thresholds. */
const certain = 2;

/** A follower that goes less than this share of its leader's way is dead. */
const deadShare = 0.05;

/** A state that goes so many times as far as its action, or as little, is in other units. */
const otherUnits = 8;

/** A joint that goes less than this share of what the others do rests, or is in other units: too little to tell. */
const restingShare = 0.2;

/** A lag beyond so many seconds is no follower's. */
const longestLag = 0.5;

/** A state that comes so many frames before its action was recorded wrongly. */
const earliest = -2;

/** Faults that need no siblings: a follower that stays while its leader moves, a state in other units, a state before its action. */
export function ownFaults(
	{profile, metrics}: ComparedEpisode,
	pairs: readonly ChannelPair[],
	names: ComparedNames,
): Finding[] {
	if (!profile?.action || !profile.state || !profile.pairs) return [];
	const findings: Finding[] = [];
	const fps = metrics.frame_count / metrics.duration_s;
	const ranges = pairs.map(pair => rangesOf(profile, pair));
	const widest = quantile(sortedFinite(ranges.map(({action}) => action)), 0.75);
	const say = (tag: Finding['tag'], reason: string, name: string | undefined) =>
		findings.push({
			tag,
			reason,
			channels: name === undefined ? [] : [{stream: 'action', name}],
			from: null,
			until: null,
			size: null,
			beyond: null,
			doubt: certain * suspectFrom,
		});
	const lags: number[] = [];
	for (const [place, {action, state, rough}] of ranges.entries()) {
		const name = names.action[pairs[place]?.action ?? -1] ?? '';
		// A joint that trembles is no leader: its way is long beside its range.
		if (!(action > 0) || rough > 0.1 * action || action < restingShare * widest) continue;
		const scale = 1 - (profile.pairs.gain[place] as number);
		// Other units make a state move little too, but with its action.
		const follows = scale > 0 && scale * action > 0.7 * state;
		if (state < deadShare * action && !follows) {
			say(
				'dead-follower',
				`the state of ${channelList([name])} stays within ${figure(state)} while its action goes through ${figure(action)}`,
				name,
			);
			continue;
		}
		if (follows && (scale > otherUnits || scale < 1 / otherUnits)) {
			say(
				'off-scale',
				`the state of ${channelList([name])} goes ${figure(scale)}× as far as its action: other units?`,
				name,
			);
			continue;
		}
		lags.push(profile.pairs.lag[place] as number);
	}
	lags.sort((a, b) => a - b);
	const lag = lags[lags.length >> 1];
	if (lag !== undefined && lag > longestLag * fps)
		say('lag', `the state follows the action by ${figure(lag)} frames`, undefined);
	if (lag !== undefined && lag < earliest)
		say('lag', `the state comes ${figure(-lag)} frames before the action`, undefined);
	return findings;
}

function rangesOf(
	{action, state}: Profile,
	pair: ChannelPair,
): {action: number; state: number; rough: number} {
	const span = (
		figures: {readonly high: Float32Array; readonly low: Float32Array} | undefined,
		channel: number,
	) => (figures?.high[channel] ?? Number.NaN) - (figures?.low[channel] ?? Number.NaN);
	return {
		action: span(action?.figures, pair.action),
		state: span(state?.figures, pair.state),
		rough: action?.figures.rough[pair.action] ?? Number.NaN,
	};
}
