/** What subtracting times leaves of nothing, in ms: no camera is timed that finely. */
const noise = 1e-6;

/** The stretch of a camera's video that is an episode's, in seconds. */
export type CameraSpan = {readonly from: number; readonly to: number};

/**
 * `sync_skew_max_ms`: the greatest difference, over the cameras, between the length of the camera's span and that
 * of the episode.
 *
 * @param duration the episode's, in seconds.
 * @returns null without cameras.
 */
export function greatestSyncSkewMs(spans: readonly CameraSpan[], duration: number): number | null {
	let greatest = -1;
	for (const {from, to} of spans) {
		const skew = Math.abs(to - from - duration) * 1000;
		if (skew > greatest) greatest = skew;
	}
	if (greatest < 0) return null;
	return greatest < noise ? 0 : greatest;
}
