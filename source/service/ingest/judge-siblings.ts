import type {SiblingGroup} from '../../contract/local-series.ts';
import type {DoubtThresholds} from '../../files/config-schema.ts';
import type {FeatureLayout} from '../../lerobot/features.ts';
import type {MeasuredEpisode} from '../../motion/episode-metrics.ts';
import {autoAcceptThreshold} from '../../motion/quality-score.ts';
import {sharedOffsets, siblingGroups} from '../siblings/dataset-summary.ts';
import {type ComparedNames, type Judgement, judge} from '../siblings/judgement.ts';
import {type ComparedEpisode, comparedEpisode, type Thresholds, thresholdsWith} from '../siblings/traits.ts';
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
	readonly #taken: {readonly episode: Taken; readonly details: Details}[] = [];
	readonly #compared: ComparedEpisode[] = [];

	constructor({action, state}: FeatureLayout, thresholds: DoubtThresholds | undefined) {
		const actionNames = action?.names ?? [];
		this.#names = {action: actionNames, poses: state?.names ?? actionNames};
		this.#streams = {action: 'action', poses: state ? 'state' : 'action'};
		this.#thresholds = thresholdsWith(thresholds);
	}

	/** @param broken what makes it unfit, whatever its siblings are like */
	add(episode: Taken, details: Details, broken: readonly string[], measured: MeasuredEpisode): void {
		this.#taken.push({episode, details});
		this.#compared.push(comparedEpisode(episode.task, broken, measured));
	}

	/** The episodes with all that is to be said of them, in the order in which they came. */
	*judged(): Generator<StagedEpisode> {
		const judgements = judge(this.#compared, this.#names, this.#thresholds);
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
		return sharedOffsets(this.#compared, this.#names.action);
	}

	/** The usual figures of each task's episodes. */
	groups(): SiblingGroup[] {
		return siblingGroups(this.#compared, this.#names, this.#thresholds.siblings);
	}

	#beside({reasons, channels, siblings, doubt}: Judgement): Details {
		const named = new Set(channels.map(({stream, name}) => `${this.#streams[stream]}.${name}`));
		const {siblings: least} = this.#thresholds;
		return {
			...(reasons.length > 0 && {suspect_reasons: reasons}),
			...(named.size > 0 && {suspect_channels: [...named].slice(0, maxChannels)}),
			siblings,
			...(doubt === null && {
				siblings_note: `too few siblings to tell: ${siblings} of its task, ${least} are needed`,
			}),
		};
	}
}
