/** A frame is still when its speed is below this share of the episode's 95th percentile. */
const stillShare = 0.05;

/** A run of still frames is a pause from this length on, in seconds. */
const shortestPause = 0.25;

/** `pause_fraction`: the share of the frames that have a speed; `pause_count`: runs of at least 0.25 s. */
export type Pauses = {readonly fraction: number; readonly count: number};

/**
 * @param p95 the profile's 95th percentile.
 * @returns null where nothing moves: against no motion nothing is a pause.
 */
export function findPauses(profile: Float64Array, p95: number, fps: number): Pauses | null {
	if (!(p95 > 0)) return null;
	const threshold = stillShare * p95;
	// The margin keeps a run of exactly 0.25 s in, whatever fps does to the product.
	const shortestRun = shortestPause * fps - 1e-9;
	let still = 0;
	let run = 0;
	let count = 0;
	for (let t = 0; t < profile.length; t++) {
		if ((profile[t] as number) < threshold) {
			still++;
			run++;
		} else {
			if (run > 0 && run >= shortestRun) count++;
			run = 0;
		}
	}
	if (run > 0 && run >= shortestRun) count++;
	return {fraction: still / profile.length, count};
}
