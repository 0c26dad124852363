import type {Result} from './result.ts';

/** How far from where it was an episode is looked for. */
const nearby = 400;

/** The row of an episode that stood at `from`; undefined where it is not near that any more. */
export function findNearby({row, rowCount}: Result, episodeId: string, from: number): number | undefined {
	for (let distance = 0; distance <= nearby; distance++) {
		for (const place of [from - distance, from + distance]) {
			if (place < 0 || place >= rowCount) continue;
			const found = row(place);
			if (typeof found === 'object' && found.episode_id === episodeId) return place;
		}
	}
	return undefined;
}
