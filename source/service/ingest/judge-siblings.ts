import type {SiblingGroup} from '../../contract/local-series.ts';
import type {DoubtThresholds} from '../../files/config-schema.ts';
import type {FeatureLayout} from '../../lerobot/features.ts';
import type {Signal} from '../../motion/channel-aggregates.ts';
import type {MeasuredEpisode} from '../../motion/episode-metrics.ts';
import {
	type ChannelPair,
	type Profile,
	pairChannels,
	partsFor,
	profileEpisode,
} from '../../motion/profile.ts';
import {autoAcceptThreshold, qualityVersion, qualityWords} from '../../motion/quality-score.ts';
import {sharedOffsets, siblingGroups} from '../siblings/dataset-summary.ts';
import {printOf} from '../siblings/duplicates.ts';
import type {ComparedNames, Finding} from '../siblings/findings.ts';
import {type Judgement, Judging} from '../siblings/judgement.ts';
import {suspectFrom} from '../siblings/oddness.ts';
import {comparedEpisode, type Thresholds, thresholdsWith} from '../siblings/traits.ts';
import type {StagedEpisode} from './staged-columns.ts';

/** An episode before anything is known of its siblings. */
type Taken = Omit<StagedEpisode, 'reviewState' | 'doubt' | 'details'>;

type Details = Readonly<Record<string, unknown>>;

/** The interface's bound on an episode's tags. */
const maxTags = 512;

/** Channels that are named with an episode's reasons: those that are looked at first. */
const maxChannels = 3;

/** Keeps the episodes of a dataset until all are read: only then can each be set against the others. */
export class SiblingJudge {
	readonly #names: ComparedNames;
	/** The names of the compared streams in the series of an episode. */
	readonly #streams: Readonly<Record<keyof ComparedNames, string>>;
	readonly #thresholds: Thresholds;
	readonly #pairs: readonly ChannelPair[];
	readonly #usualFrames: number;
	readonly #parts: number;
	readonly #taken: {readonly episode: Taken; readonly details: Details}[] = [];
	readonly #judging: Judging;

	/** @param usualFrames of an episode */
	constructor({action, state}: FeatureLayout, usualFrames: number, thresholds: DoubtThresholds | undefined) {
		const actionNames = action?.names ?? [];
		this.#names = {action: actionNames, poses: state?.names ?? actionNames};
		this.#streams = {action: 'action', poses: state ? 'state' : 'action'};
		this.#thresholds = thresholdsWith(thresholds);
		this.#pairs = action && state ? pairChannels(action.names, state.names) : [];
		this.#usualFrames = usualFrames;
		this.#parts = partsFor(usualFrames);
		this.#judging = new Judging(this.#names, this.#thresholds, this.#parts);
	}

	/** Makes the profile of an episode of its frames. */
	profile(action: Signal | undefined, state: Signal | undefined): Profile {
		return profileEpisode(action, state, this.#pairs, this.#parts);
	}

	/**
	 * @param broken what makes it unfit, whatever its siblings are like
	 * @param moved the stream by which it is known again
	 */
	add(
		episode: Taken,
		details: Details,
		broken: readonly string[],
		measured: MeasuredEpisode,
		profile: Profile,
		moved: Signal | undefined,
	): void {
		const {worstPart} = measured;
		const quality = {
			quality_version: qualityVersion,
			...(worstPart && {quality_worst: qualityWords[worstPart]}),
		};
		this.#taken.push({episode, details: {...quality, ...details}});
		const print = moved ? printOf(moved, this.#usualFrames) : null;
		this.#judging.add(comparedEpisode(episode.episodeIndex, episode.task, broken, measured, profile, print));
	}

	/** The episodes with all that is to be said of them, in the order in which they came. */
	*judged(): Generator<StagedEpisode> {
		const judgements = this.#judging.finish();
		for (const [place, {episode, details}] of this.#taken.entries()) {
			const judgement = judgements[place] as Judgement;
			const {tier, metrics, tags} = episode;
			const accepted =
				tier === 'retrainable' &&
				judgement.reasons.length === 0 &&
				(metrics.quality_score ?? 0) >= autoAcceptThreshold;
			yield {
				...episode,
				tags: [...new Set([...tags, ...judgement.tags])].slice(0, maxTags),
				reviewState: accepted ? 'auto_accepted' : 'unreviewed',
				doubt: judgement.doubt,
				details: JSON.stringify({...this.#beside(judgement), ...details}),
			};
		}
	}

	/** The problems that all of them share, in sentences. */
	shared(): string[] {
		return sharedOffsets(this.#judging.episodes, this.#names.action);
	}

	/** The usual figures of each task's episodes. */
	groups(): SiblingGroup[] {
		return siblingGroups(this.#judging.episodes, this.#names, this.#thresholds.siblings);
	}

	#beside({findings, reasons, channels, siblings, doubt, moment}: Judgement): Details {
		const named = new Set(channels.map(({stream, name}) => `${this.#streams[stream]}.${name}`));
		const {siblings: least} = this.#thresholds;
		return {
			...(reasons.length > 0 && {
				suspect_reasons: reasons,
				findings: findings.map(finding => this.#told(finding, siblings)),
			}),
			...(moment !== null && {suspect_at_s: moment}),
			...(named.size > 0 && {suspect_channels: [...named].slice(0, maxChannels)}),
			siblings,
			...(doubt === null && {
				siblings_note: `too few siblings to tell: ${siblings} of its task, ${least} are needed`,
			}),
		};
	}

	/** A finding as it is kept and sent: times in seconds of the episode, sizes in spreads of the siblings. */
	#told({tag, reason, channels, from, until, size, beyond, doubt}: Finding, siblings: number): Details {
		return {
			tag,
			reason,
			channels: channels.slice(0, maxChannels).map(({stream, name}) => `${this.#streams[stream]}.${name}`),
			from_s: from,
			to_s: until,
			size,
			beyond,
			siblings,
			oddness: Math.round((doubt / suspectFrom) * 100) / 100,
		};
	}
}
