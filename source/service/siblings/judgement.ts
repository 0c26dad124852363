import {type DoubtTag, suspectTag} from '../../contract/local-explore.ts';
import {type ComparedChannel, type ComparedNames, judgeGroup} from './judge-group.ts';
import type {Thresholds} from './thresholds.ts';
import type {ComparedEpisode} from './traits.ts';

/** Something that makes an episode suspect. */
export type Finding = {
	readonly tag: DoubtTag;
	/** In words with figures. */
	readonly reason: string;
	/** The channels that it is about, the oddest first; none where it is about the whole episode. */
	readonly channels?: readonly ComparedChannel[];
	/** In thresholds. */
	readonly doubt: number;
};

/** What is to be thought of an episode beside its siblings. */
export type Judgement = {
	/** The worst reason first. */
	readonly reasons: readonly string[];
	/** The channels that the reasons are about, in their order. */
	readonly channels: readonly ComparedChannel[];
	readonly tags: readonly string[];
	/**
	 * How unlike its siblings it is: the oddest of its figures, in thresholds; from 1 on it is suspect. 100 for what is
	 * broken; null where there are too few siblings to tell.
	 */
	readonly doubt: number | null;
	/** How many siblings it was set against. */
	readonly siblings: number;
};

/** The doubt of an episode that is broken whatever its siblings are like. */
export const brokenDoubt = 100;

/** The tag of every episode with a reason, and of those that cannot be trained on. */
export const brokenTag: DoubtTag = 'broken';

/**
 * Judges the episodes of a dataset, each against those of its task. Its embodiment is the dataset's; other datasets of
 * that embodiment are left aside, because pose and calibration are those of a session.
 *
 * @returns one judgement an episode, in their order
 */
export function judge(
	episodes: readonly ComparedEpisode[],
	names: ComparedNames,
	thresholds: Thresholds,
): Judgement[] {
	const judgements: Judgement[] = [];
	const whole = episodes.map((episode, place) => ({episode, place})).filter(isWhole);
	const groups = Map.groupBy(whole, ({episode}) => episode.task);
	for (const [place, {task, faults}] of episodes.entries()) {
		const siblings = groups.get(task)?.length ?? 0;
		if (faults.length > 0) judgements[place] = broken(faults, siblings);
	}
	for (const group of groups.values()) {
		const siblings = group.length - 1;
		const comparisons = judgeGroup(
			group.map(({episode}) => episode),
			names,
			thresholds,
		);
		for (const [at, {place}] of group.entries()) {
			const {findings = [], doubt = 0} = comparisons[at] ?? {};
			findings.sort((a, b) => b.doubt - a.doubt);
			judgements[place] = {
				reasons: findings.map(({reason}) => reason),
				channels: findings.flatMap(({channels = []}) => channels),
				tags: findings.length > 0 ? [...new Set([suspectTag, ...findings.map(({tag}) => tag)])] : [],
				doubt: siblings < thresholds.siblings ? null : Math.round(doubt * 100) / 100,
				siblings,
			};
		}
	}
	return judgements;
}

/** What is broken is nobody's sibling: half a recording says nothing about how long one takes. */
function isWhole({episode}: {episode: ComparedEpisode}): boolean {
	return episode.faults.length === 0;
}

function broken(faults: readonly string[], siblings: number): Judgement {
	return {reasons: faults, channels: [], tags: [suspectTag, brokenTag], doubt: brokenDoubt, siblings};
}
