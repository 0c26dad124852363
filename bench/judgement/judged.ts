import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {pairChannels, partsFor, profileEpisode} from '../../source/motion/profile.ts';
import {printOf} from '../../source/service/siblings/duplicates.ts';
import {judge} from '../../source/service/siblings/judgement.ts';
import {
	type ComparedEpisode,
	comparedEpisode,
	usualThresholds,
} from '../../source/service/siblings/traits.ts';
import type {Base, BenchEpisode} from './arms.ts';
import {median} from './measures.ts';

/** The verdict of the program on an episode of the bench. */
export type Verdict = {
	readonly oddness: number;
	readonly suspect: boolean;
	/** Seconds; null where no finding has a moment. */
	readonly moment: number | null;
	readonly reasons: readonly string[];
};

export type Prepared = {readonly quality: number | null; readonly compared: ComparedEpisode};

const usualFrames = new WeakMap<Base, number>();

/** The usual length in a group, which the ingest knows from the metadata. */
function usualOf(base: Base): number {
	const usual = usualFrames.get(base) ?? median(base.episodes.map(({frames}) => frames));
	usualFrames.set(base, usual);
	return usual;
}

/** Takes of an episode what the ingest would. */
export function prepare(
	{action, state, frames, task, timestamps, cameraSkew}: BenchEpisode,
	base: Base,
): Prepared {
	const {fps, names} = base;
	const dims = names.length;
	const signals = {action: {values: action, dims}, state: {values: state, dims}};
	const usual = usualOf(base);
	const profile = profileEpisode(signals.action, signals.state, pairChannels(names, names), partsFor(usual));
	const measured = measureEpisode({
		profile,
		frames,
		fps,
		...signals,
		telemetry: [],
		timestamps: timestamps ?? Float64Array.from({length: frames}, (_, frame) => Math.fround(frame / fps)),
		cameraSpans: [{from: 0, to: frames / fps + (cameraSkew ?? 0)}],
	});
	return {
		quality: measured.metrics.quality_score,
		compared: comparedEpisode(0, task, [], measured, profile, printOf(signals.action, usual)),
	};
}

/** Judges a group as the ingest would. */
export function judged(group: readonly Prepared[], base: Base): Verdict[] {
	const {names} = base;
	return judge(
		group.map(({compared}, episodeIndex) => ({...compared, episodeIndex})),
		{action: names, poses: names},
		usualThresholds,
		partsFor(usualOf(base)),
	).map(({doubt, reasons, moment}) => ({oddness: doubt ?? 0, suspect: reasons.length > 0, moment, reasons}));
}
