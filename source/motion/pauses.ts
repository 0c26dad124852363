/** A frame is still when its speed is below this share of the episode's 95th percentile. */
export const stillShare = 0.05;

/** A run of still frames is a pause from this length on, in seconds. */
export const shortestPause = 0.25;

/** `pause_fraction`: the share of the frames that have a speed; `pause_count`: runs of at least 0.25 s. */
type Pauses = {
	readonly fraction: number;
	readonly count: number;
	/** The longest run of still frames. */
	readonly longest: number;
};

/**
 * @param p95 the profile's 95th percentile.
 * @returns null where nothing moves: against no motion nothing is a pause.
 */
export function findPauses(profile: Float64Array, p95: number, fps: number): Pauses | null {
	if (!(p95 > 0)) return null;
	const threshold = stillShare * p95;
	const shortestRun = shortestRunOf(fps);
	let still = 0;
	let run = 0;
	let count = 0;
	let longest = 0;
	const end = () => {
		if (run > 0 && run >= shortestRun) count++;
		if (run > longest) longest = run;
		run = 0;
	};
	for (let t = 0; t < profile.length; t++) {
		if ((profile[t] as number) < threshold) {
			still++;
			run++;
		} else if (run > 0) {
			end();
		}
	}
	end();
	return {fraction: still / profile.length, count, longest};
}

/** The margin keeps a run of exactly 0.25 s in at any fps, despite rounding of the product. */
function shortestRunOf(fps: number): number {
	return shortestPause * fps - 1e-9;
}

/**
 * The runs of still frames that are pauses.
 *
 * @param p95 the profile's 95th percentile.
 * @returns frames of the profile, whose first is the second of the episode; none where nothing moves
 */
export function pauseSpans(profile: Float64Array, p95: number, fps: number): FrameSpan[] {
	if (!(p95 > 0)) return [];
	const threshold = stillShare * p95;
	const shortestRun = shortestRunOf(fps);
	const spans: FrameSpan[] = [];
	let from = 0;
	for (let t = 0; t <= profile.length; t++) {
		if (t < profile.length && (profile[t] as number) < threshold) continue;
		if (t > from && t - from >= shortestRun) spans.push({from, until: t});
		from = t + 1;
	}
	return spans;
}

/** Frames of an episode, from one until before another. */
export type FrameSpan = {readonly from: number; readonly until: number};

/**
 * An episode without the pauses that it begins and ends with: from the last still frame before it first moves, until
 * the frame in which it came to rest. Still stretches shorter than a pause stay.
 *
 * @param profile v_t from the second frame on, as `speedProfile` gives it.
 * @param p95 the profile's 95th percentile.
 * @returns the whole episode where nothing moves: against no motion nothing is a pause.
 */
export function withoutEndPauses(profile: Float64Array, p95: number, fps: number): FrameSpan {
	const whole = {from: 0, until: profile.length + 1};
	if (!(p95 > 0)) return whole;
	const threshold = stillShare * p95;
	const moves = (speed: number) => !(speed < threshold);
	const leading = profile.findIndex(moves);
	const trailing = profile.length - 1 - profile.findLastIndex(moves);
	const shortestRun = shortestRunOf(fps);
	return {
		from: leading > 0 && leading >= shortestRun ? leading : whole.from,
		until: trailing > 0 && trailing >= shortestRun ? whole.until - trailing : whole.until,
	};
}
