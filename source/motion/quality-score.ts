/** The parts of the score: the interface's fields of these names; null if unknown. */
export type QualityInput = {
	readonly frame_count: number;
	readonly duration_s: number;
	readonly sparc: number | null;
	readonly psd_hf_ratio: number | null;
	readonly pause_fraction: number | null;
	readonly frozen_action_dims: number | null;
	readonly action_dims: number | null;
	readonly dt_jitter_ms: number | null;
	readonly dt_dropped_frames: number | null;
	readonly sync_skew_ratio: number | null;
};

/** How much each part counts. A part that is unknown leaves its weight to the others. */
export const qualityWeights = {
	smoothness: 0.3,
	steadiness: 0.2,
	flow: 0.2,
	liveliness: 0.1,
	timing: 0.1,
	sync: 0.1,
} as const;

type Part = keyof typeof qualityWeights;

/** From this score on a whole episode is accepted without a person. */
export const autoAcceptThreshold = 0.9;

/** Where each part is worth 1 (`best`) and where 0 (`worst`); between them it is linear. */
const qualityRanges = {
	/** SPARC: from a single sweep of the arm to a motion in pieces. */
	smoothness: {best: -3, worst: -13},
	/** Share of the speed's power at 5 Hz and above: tremor, noise, jumps. */
	steadiness: {best: 0.02, worst: 0.5},
	/** Share of still frames: some stillness is part of every grasp. */
	flow: {best: 0.15, worst: 0.95},
	/** Share of the action's dimensions that never move: a one-armed task leaves half of a pair at rest. */
	liveliness: {best: 0.5, worst: 1},
	/** Jitter as a share of the frame's period. */
	jitter: {best: 0.05, worst: 1},
	/** Dropped frames as a share of all. */
	drops: {best: 0, worst: 0.05},
	/** Camera skew as a share of the duration. */
	sync: {best: 0.005, worst: 0.1},
} as const;

/** The least worth of a part: its worst must not hide what the others say. */
const leastWorth = 0.02;

/**
 * `quality_score`: the weighted geometric mean of six parts, each in 0–1. A sum would let five good parts make up
 * for one that spoils the episode; a product does not. Only figures without a unit go in, so that it compares
 * across arms.
 *
 * @returns null where smoothness, steadiness or flow is undefined: without a motion there is nothing to judge.
 */
export function qualityScore(metrics: QualityInput): number | null {
	const parts = qualityParts(metrics);
	if (parts.smoothness === null || parts.steadiness === null || parts.flow === null) return null;
	let logarithm = 0;
	let weight = 0;
	for (const [part, share] of Object.entries(qualityWeights) as [Part, number][]) {
		const value = parts[part];
		if (value === null) continue;
		logarithm += Math.log(Math.max(value, leastWorth)) * share;
		weight += share;
	}
	return Math.exp(logarithm / weight);
}

function qualityParts(metrics: QualityInput): Record<Part, number | null> {
	const {frame_count, duration_s, action_dims, frozen_action_dims, dt_jitter_ms, dt_dropped_frames} = metrics;
	const framePeriodMs = (duration_s / frame_count) * 1000;
	const jitter = worth('jitter', dt_jitter_ms === null ? null : dt_jitter_ms / framePeriodMs);
	const drops = worth('drops', dt_dropped_frames === null ? null : dt_dropped_frames / frame_count);
	return {
		smoothness: worth('smoothness', metrics.sparc),
		steadiness: worth('steadiness', metrics.psd_hf_ratio),
		flow: worth('flow', metrics.pause_fraction),
		liveliness: worth(
			'liveliness',
			action_dims && frozen_action_dims !== null ? frozen_action_dims / action_dims : null,
		),
		timing: jitter === null || drops === null ? null : Math.min(jitter, drops),
		sync: worth('sync', metrics.sync_skew_ratio),
	};
}

function worth(range: keyof typeof qualityRanges, value: number | null): number | null {
	if (value === null) return null;
	const {best, worst} = qualityRanges[range];
	return Math.min(1, Math.max(0, (worst - value) / (worst - best)));
}
