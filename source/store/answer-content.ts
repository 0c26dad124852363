import type {LakeEpisode} from '../contract/episode.ts';
import {
	type Answer,
	heldEpisodes,
	isSortedHere,
	rowAt,
	rowCountOf,
	rowsSortedHere,
	totalsOf,
} from './answer.ts';
import type {Result, Totals} from './result.ts';

type Content = Omit<Result, 'isPrevious' | 'freshness' | 'refused'>;

/**
 * What an answer says, as the panes read it.
 *
 * @param options.known the totals that were said before: the same object where they are the same.
 * @param options.covered an episode as it is to be shown.
 */
export function contentOf(
	answer: Answer,
	{known, covered}: {known: Totals | undefined; covered: (episode: LakeEpisode) => LakeEpisode},
): Content {
	const {question, sort, newest, pages} = answer;
	const here = sort !== undefined && isSortedHere(answer) ? rowsSortedHere(answer, sort) : undefined;
	return {
		question,
		order: here?.order ?? sort,
		rowCount: here?.rows.length ?? rowCountOf(answer) ?? 0,
		totals: totalsOf(answer, known),
		facets: newest?.page.data.facets,
		setAsideCount: [...pages.values()].reduce((sum, {page}) => sum + page.setAside.length, 0),
		row: index => {
			const row = here ? (here.rows[index] ?? 'missing') : rowAt(answer, index);
			return typeof row === 'string' ? row : covered(row);
		},
		held: () => heldEpisodes(answer),
	};
}
