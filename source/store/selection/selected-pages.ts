import type {Client} from '../../client/client.ts';
import {episodePages} from '../../client/episode-pages.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {pickedInOrder, type Selection} from './selection.ts';

/** Some of the episodes selected, in their order. */
type SelectedPage = {
	readonly episodes: readonly LakeEpisode[];
	/** How many there are in all, by this page. */
	readonly total: bigint;
	/** Elements of the page that broke the contract and were left out. */
	readonly leftOut: number;
};

const pickedAtOnce = 200;

/** The episodes selected, page after page, as many in memory as a page has. */
export async function* selectedPages(
	client: Pick<Client, 'explore'>,
	selection: Selection,
	signal: AbortSignal,
): AsyncGenerator<SelectedPage, void> {
	if (selection.by === 'hand') {
		const episodes = pickedInOrder(selection.picked);
		const total = BigInt(episodes.length);
		for (let at = 0; at < episodes.length; at += pickedAtOnce) {
			signal.throwIfAborted();
			yield {episodes: episodes.slice(at, at + pickedAtOnce), total, leftOut: 0};
		}
		return;
	}
	const {question, except} = selection;
	for await (const {data, setAside} of episodePages(client, question, {offset: 0}, {signal})) {
		yield {
			episodes: data.episodes.filter(({episode_id}) => !except.has(episode_id)),
			total: BigInt(data.total) - BigInt(except.size),
			leftOut: setAside.length,
		};
	}
}
