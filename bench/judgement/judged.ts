import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {judge} from '../../source/service/siblings/judgement.ts';
import {comparedEpisode, usualThresholds} from '../../source/service/siblings/traits.ts';
import type {Base, BenchEpisode} from './arms.ts';

/** The verdict of the program on an episode of the bench. */
export type Verdict = {
	readonly oddness: number;
	readonly suspect: boolean;
	/** Seconds; null where no finding has a moment. */
	readonly moment: number | null;
	readonly reasons: readonly string[];
};

export type Prepared = {
	readonly quality: number | null;
	readonly compared: ReturnType<typeof comparedEpisode>;
};

/** Takes of an episode what the ingest would. */
export function prepare(
	{action, state, frames, task, timestamps, cameraSkew}: BenchEpisode,
	{fps, names}: Base,
): Prepared {
	const dims = names.length;
	const measured = measureEpisode({
		frames,
		fps,
		action: {values: action, dims},
		state: {values: state, dims},
		telemetry: [],
		timestamps: timestamps ?? Float64Array.from({length: frames}, (_, frame) => Math.fround(frame / fps)),
		cameraSpans: [{from: 0, to: frames / fps + (cameraSkew ?? 0)}],
	});
	return {quality: measured.metrics.quality_score, compared: comparedEpisode(task, [], measured)};
}

/** Judges a group as the ingest would. */
export function judged(group: readonly Prepared[], {names}: Base): Verdict[] {
	return judge(
		group.map(({compared}) => compared),
		{action: names, poses: names},
		usualThresholds,
	).map(({doubt, reasons}) => ({oddness: doubt ?? 0, suspect: reasons.length > 0, moment: null, reasons}));
}
