import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort, SortField} from '../../contract/local-explore.ts';

/** The figure of an episode that it can be ordered by; undefined where it has none. */
export function sortFigure(episode: LakeEpisode, by: SortField): number | bigint | undefined {
	if (by === 'duration_s') return episode.duration_seconds;
	if (by === 'frame_count') return episode.frame_count;
	if (by === 'quality_score') return episode.quality_score ?? undefined;
	const value = episode.metrics?.[by];
	return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** Whether one figure comes before another: negative where it does. Those without a figure come last either way. */
function compared(
	a: number | bigint | undefined,
	b: number | bigint | undefined,
	direction: EpisodeSort['direction'],
): number {
	if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
	if (a === b) return 0;
	return a < b === (direction === 'asc') ? -1 : 1;
}

/** Episodes in an order; among equals they stay as they came. */
export function inOrder(episodes: readonly LakeEpisode[], sort: EpisodeSort): readonly LakeEpisode[] {
	const figures = new Map(episodes.map(episode => [episode, sortFigure(episode, sort.by)]));
	return episodes.toSorted((a, b) => compared(figures.get(a), figures.get(b), sort.direction));
}

/**
 * The order that episodes at hand can be brought into: a service that compares nothing with its siblings tells no doubt,
 * and the lowest quality score is the next best guess of what is worst.
 */
export function orderHere(episodes: readonly LakeEpisode[], sort: EpisodeSort): EpisodeSort {
	if (sort.by !== 'doubt') return sort;
	const isTold = episodes.some(episode => sortFigure(episode, 'doubt') !== undefined);
	if (isTold) return sort;
	return {by: 'quality_score', direction: sort.direction === 'desc' ? 'asc' : 'desc'};
}
