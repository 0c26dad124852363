import type {Answer} from '../client/answer.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import type {ExploreResponse} from '../contract/explore.ts';
import type {EpisodeSort, ExploreQuestion} from '../contract/local-explore.ts';

/** One explore answer, and what of it broke the contract and was left out. */
export type ExplorePage = Answer<ExploreResponse> & {
	/** The service has put its episodes into the order that was asked for. */
	readonly isSorted?: boolean;
};

/** Asks the service for one page. */
export type ReadPage = (
	request: ExploreQuestion,
	options: {signal: AbortSignal; sort?: EpisodeSort | undefined},
) => Promise<ExplorePage>;

/** What is known of one row: `unreadable` broke the contract, `missing` was counted by the service but not given. */
export type Row = LakeEpisode | 'loading' | 'failed' | 'unreadable' | 'missing';

/** The rows of a page on their own places: an element that was set aside keeps its place. */
export function rowsOf({data, setAside}: ExplorePage): readonly Row[] {
	const broken = new Set(
		setAside.flatMap(({path}) => {
			const place = /^episodes\[(\d+)\]$/.exec(path)?.[1];
			return place === undefined ? [] : [Number(place)];
		}),
	);
	if (broken.size === 0) return data.episodes;
	const rows: Row[] = [];
	for (const episode of data.episodes) {
		while (broken.has(rows.length)) rows.push('unreadable');
		rows.push(episode);
	}
	while (broken.has(rows.length)) rows.push('unreadable');
	return rows;
}

/** Whether two answers count the same result, so that their pages belong together. */
export function countsAlike(a: ExploreResponse, b: ExploreResponse): boolean {
	return (
		a.total === b.total &&
		a.total_frames === b.total_frames &&
		a.total_duration_seconds === b.total_duration_seconds
	);
}
