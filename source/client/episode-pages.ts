import type {ExploreResponse} from '../contract/explore.ts';
import {exploreLimits} from '../contract/limits.ts';
import type {ExploreQuestion} from '../contract/local-explore.ts';
import {maxIndex} from '../contract/scalars.ts';
import type {Answer} from './answer.ts';
import type {Client} from './client.ts';
import type {CallOptions} from './options.ts';

type Stretch = {
	readonly offset: number;
	/** How many episodes; all there are without it. */
	readonly count?: number | undefined;
};

/** The pages that hold a stretch of a result, one after the other; at least one, for totals and facets. */
export async function* episodePages(
	client: Pick<Client, 'explore'>,
	request: ExploreQuestion,
	{offset, count = Number.POSITIVE_INFINITY}: Stretch,
	options?: CallOptions,
): AsyncGenerator<Answer<ExploreResponse>> {
	const end = Math.min(offset + count, maxIndex + 1);
	for (let at = offset; at < end; ) {
		const limit = Math.min(exploreLimits.page.max, end - at);
		const answer = await client.explore({...request, limit, offset: at}, options);
		yield answer;
		at += limit;
		const {episodes, total} = answer.data;
		if (at >= Number(total) || episodes.length + answer.setAside.length === 0) return;
	}
}
