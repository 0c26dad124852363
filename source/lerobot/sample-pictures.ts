import type {PictureCounts} from './write-stats.ts';

/** Pictures of an episode from which on not all are looked at, and the most that are. */
const [fewest, most] = [100, 10_000];

/** The frames of an episode whose pictures LeRobot makes statistics of: spread evenly, the first and the last among them. */
export function sampledFrames(frames: number): readonly number[] {
	const count = sampledCount(frames);
	if (count < 2) return frames > 0 ? [0] : [];
	const step = (frames - 1) / (count - 1);
	return Array.from({length: count}, (_, place) => roundedToEven(place * step));
}

/** How many pictures LeRobot makes the statistics of an episode of. */
export function sampledCount(frames: number): number {
	return Math.max(Math.min(frames, fewest), Math.min(Math.trunc(frames ** 0.75), most));
}

function roundedToEven(value: number): number {
	const floor = Math.floor(value);
	const rest = value - floor;
	return rest === 0.5 ? floor + (floor % 2) : Math.round(value);
}

/** Pixels of the longer side from which on only some are looked at, and to how many they are thinned. */
const [thinnedFrom, thinnedTo] = [300, 150];

/** How often each value occurs in the red, green and blue of pictures, of which every so manieth pixel is looked at. */
export class PictureCounter {
	readonly counts: PictureCounts = [0, 1, 2].map(() => new Float64Array(256));
	pictures = 0;

	/** @param data three bytes a pixel */
	add({width, height, data}: {width: number; height: number; data: Uint8Array}): void {
		const longer = Math.max(width, height);
		const stride = longer < thinnedFrom ? 1 : Math.trunc(longer / thinnedTo);
		const [red, green, blue] = this.counts as [Float64Array, Float64Array, Float64Array];
		for (let y = 0; y < height; y += stride) {
			for (let x = 0; x < width; x += stride) {
				const at = (y * width + x) * 3;
				(red[data[at] as number] as number)++;
				(green[data[at + 1] as number] as number)++;
				(blue[data[at + 2] as number] as number)++;
			}
		}
		this.pictures++;
	}
}
