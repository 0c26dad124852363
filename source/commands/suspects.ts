import type {Client} from '../client/client.ts';
import {suspectTag} from '../contract/local-explore.ts';
import {worstFirst} from '../store/order/worst-first.ts';
import {printable} from '../terminal/printable.ts';
import {say} from './output.ts';

/** So many are told with what is against them; the explorer lists them all. */
const mostTold = 20;

/**
 * Says which episodes of a dataset are unlike their siblings, the worst first, and why.
 *
 * @returns how many there are
 */
export async function saySuspects(
	client: Pick<Client, 'localExplore'>,
	dataset: {readonly id: string; readonly name: string; readonly episodes: number},
): Promise<number> {
	const {data} = await client.localExplore({
		dataset_ids: [dataset.id],
		tags: [suspectTag],
		sort: worstFirst,
		limit: mostTold,
	});
	const total = Number(data.total);
	if (total === 0) return 0;
	say(`${dataset.name}: ${total} of ${dataset.episodes} suspect`);
	for (const {episode_index, metrics} of data.episodes) {
		const reasons = metrics?.suspect_reasons;
		const words = Array.isArray(reasons) ? reasons.join('; ') : '';
		say(printable(`  ${String(episode_index).padStart(5)}  ${words}`));
	}
	if (total > data.episodes.length) say(`  and ${total - data.episodes.length} more`);
	return total;
}
