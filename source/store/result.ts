import type {LakeEpisode} from '../contract/episode.ts';
import type {LakeFacets} from '../contract/facets.ts';
import type {EpisodeSort, ExploreQuestion} from '../contract/local-explore.ts';
import type {Count} from '../contract/scalars.ts';
import type {Row} from './explore-page.ts';
import type {Freshness} from './freshness.ts';
import type {RefusedPart} from './refusal.ts';

/** What a question is, page apart: an explore request without `limit` and `offset`. */
export type Question = Omit<ExploreQuestion, 'limit' | 'offset'>;

export type Totals = {readonly episodes: Count; readonly frames: Count; readonly seconds: number};

/** An order that somebody asked for. */
export type ResultOrder = EpisodeSort & {
	/** The service has no such order: it is only of the rows that were read. */
	readonly isHere?: boolean;
	/** It is by another figure than was asked for, which the service does not tell. */
	readonly instead?: boolean;
};

/** What is known of the answer to a question, as the panes read it. A new object whenever anything changed. */
export type Result = {
	/** The question that this answers. */
	readonly question: Question;
	/** The order of its rows; undefined where that is the service's own. */
	readonly order: ResultOrder | undefined;
	/** A newer question has been asked and not answered yet. */
	readonly isPrevious: boolean;
	/** Rows that can be asked for: the total, as far as an offset reaches; those read where they are ordered here. 0 while unknown. */
	readonly rowCount: number;
	readonly totals: Totals | undefined;
	readonly facets: LakeFacets | undefined;
	readonly freshness: Freshness;
	/** Elements of the held pages that broke the contract and were left out. */
	readonly setAsideCount: number;
	/** What the question itself was refused for, as far as that was said of its parts. */
	readonly refused: readonly RefusedPart[];
	/** Every episode that is read, in no order; asking fetches nothing. */
	readonly held: () => readonly LakeEpisode[];
	/** What is known of a row; asking fetches nothing. */
	readonly row: (index: number) => Row;
};

/** Whether what shows answers an older question, because the newest one was asked in vain so far. */
export function isHeldUp({isPrevious, freshness}: Result): boolean {
	return isPrevious && 'reason' in freshness && !freshness.isFromLastSession;
}
