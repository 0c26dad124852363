import type {MetricName} from '../contract/metrics.ts';
import {
	aggregateChannels,
	countFrozenDims,
	type Signal,
	type StreamAggregates,
} from './channel-aggregates.ts';
import {findPauses} from './pauses.ts';
import {percentiles} from './percentiles.ts';
import type {Profile} from './profile.ts';
import {type QualityPart, qualityScore} from './quality-score.ts';
import {restOffsets} from './rest-offset.ts';
import {highFrequencyRatio, spectralArcLength, speedSpectrum} from './spectrum.ts';
import {
	defined,
	logDimensionlessJerk,
	meanJerk,
	meanSpeed,
	profileCourse,
	speedProfile,
} from './speed-jerk.ts';
import {type CameraSpan, greatestSyncSkewMs, measureTiming} from './timing.ts';

/** Every metric by its name (`contract/metrics.ts`). Null is undefined: too few frames, no motion, no such stream. */
export type EpisodeMetrics = {readonly [Name in MetricName]: number | null} & {
	readonly duration_s: number;
	readonly frame_count: number;
};

type EpisodeSignals = {
	readonly frames: number;
	/** Frames a second. */
	readonly fps: number;
	readonly action: Signal | undefined;
	readonly state: Signal | undefined;
	readonly telemetry: readonly (Signal | undefined)[];
	/** Seconds, one a frame; undefined where the dataset has none. */
	readonly timestamps: Float64Array | undefined;
	readonly cameraSpans: readonly CameraSpan[];
	/** Tells the quality score of action beside state; without it those parts are left out. */
	readonly profile?: Profile;
};

export type MeasuredEpisode = {
	readonly metrics: EpisodeMetrics;
	readonly action: StreamAggregates | undefined;
	readonly state: StreamAggregates | undefined;
	/** One entry a telemetry feature. */
	readonly telemetry: readonly (StreamAggregates | undefined)[];
	readonly traits: EpisodeTraits;
	/** The part of the quality score that costs most; null where none costs anything. */
	readonly worstPart: QualityPart | null;
};

/** Traits that tell an episode from its siblings besides the interface's fields. Null if unknown. */
type EpisodeTraits = {
	/** How far the action goes, Σ‖Δa‖, in the robot's own units. */
	readonly pathLength: number | null;
	/** The longest stretch of still frames, in seconds. */
	readonly longestPause: number | null;
	/** Action minus state at rest, one a dimension; null where the two are not alike. */
	readonly offsets: Float64Array | null;
	/** Where most frames are dropped at once, as a share of the episode. */
	readonly droppedAt: number | null;
	/** The speed over the episode's course. */
	readonly course: Float32Array | null;
};

/** Every metric and every channel's aggregates of one episode, in time linear in its length but for the spectrum. */
export function measureEpisode(episode: EpisodeSignals): MeasuredEpisode {
	const {frames, fps} = episode;
	const duration = frames / fps;
	const action = aggregateSignal(episode.action);
	const state = aggregateSignal(episode.state);
	const timing = episode.timestamps ? measureTiming(episode.timestamps, fps) : null;
	const skew = greatestSyncSkewMs(episode.cameraSpans, duration);
	const {metrics: motion, ...course} =
		episode.action && action?.finite ? measureMotion(episode.action, fps) : motionless;
	const unscored = {
		duration_s: duration,
		frame_count: frames,
		action_dims: episode.action?.dims ?? null,
		state_dims: episode.state?.dims ?? null,
		frozen_action_dims: action ? countFrozenDims(action.channels) : null,
		frozen_state_dims: state ? countFrozenDims(state.channels) : null,
		sync_skew_max_ms: skew,
		sync_skew_ratio: skew === null ? null : defined(skew / 1000 / duration),
		dt_jitter_ms: timing?.jitterMs ?? null,
		dt_dropped_frames: timing?.droppedFrames ?? null,
		...motion,
	} satisfies Omit<EpisodeMetrics, 'quality_score'>;
	const {longestPause} = course;
	const quality = qualityScore({...unscored, longestPause, profile: episode.profile ?? null});
	return {
		metrics: {...unscored, quality_score: quality?.score ?? null},
		action,
		state,
		telemetry: episode.telemetry.map(aggregateSignal),
		worstPart: quality?.worst ?? null,
		traits: {
			...course,
			droppedAt: timing?.droppedAt ?? null,
			offsets: offsetsOf(episode, action),
		},
	};
}

/** Leader and follower are set against each other where they are vectors of one length. */
function offsetsOf({action, state, fps}: EpisodeSignals, ranges: StreamAggregates | undefined) {
	if (!action || !state || !ranges || action.dims !== state.dims) return null;
	return restOffsets(action, state, ranges.channels, fps);
}

function aggregateSignal(signal: Signal | undefined): StreamAggregates | undefined {
	return signal && aggregateChannels(signal.values, signal.dims);
}

/** The metrics of the action over time if there is no action. */
const noMotionMetrics = {
	speed_mean: null,
	speed_p10: null,
	speed_p50: null,
	speed_p90: null,
	jerk_mean: null,
	pause_fraction: null,
	pause_count: null,
	sparc: null,
	ldlj: null,
	psd_hf_ratio: null,
} satisfies Partial<Record<MetricName, null>>;

type Motion = {readonly metrics: Pick<EpisodeMetrics, keyof typeof noMotionMetrics>} & Pick<
	EpisodeTraits,
	'pathLength' | 'longestPause' | 'course'
>;

const motionless: Motion = {metrics: noMotionMetrics, pathLength: null, longestPause: null, course: null};

function measureMotion({values, dims}: Signal, fps: number): Motion {
	const profile = speedProfile(values, dims, fps);
	const [p10 = Number.NaN, p50 = Number.NaN, p90 = Number.NaN, p95 = Number.NaN] = percentiles(
		profile,
		[0.1, 0.5, 0.9, 0.95],
	);
	const pauses = findPauses(profile, p95, fps);
	const spectrum = speedSpectrum(profile, fps);
	const mean = meanSpeed(profile);
	const metrics = {
		speed_mean: mean,
		speed_p10: defined(p10),
		speed_p50: defined(p50),
		speed_p90: defined(p90),
		jerk_mean: meanJerk(values, dims, fps),
		pause_fraction: pauses?.fraction ?? null,
		pause_count: pauses?.count ?? null,
		sparc: spectrum && spectralArcLength(spectrum),
		ldlj: logDimensionlessJerk(profile),
		psd_hf_ratio: spectrum && highFrequencyRatio(profile, fps, spectrum),
	};
	return {
		metrics,
		pathLength: mean === null ? null : (mean * profile.length) / fps,
		longestPause: pauses && pauses.longest / fps,
		course: profileCourse(profile),
	};
}
