import type {Client} from '../client/client.ts';
import {suspectTag} from '../contract/local-explore.ts';
import {worstFirst} from '../store/order/worst-first.ts';
import {printable} from '../terminal/printable.ts';
import type {TakenIn} from './ingest.ts';
import {say} from './output.ts';

type SuspectClient = Pick<Client, 'localExplore'>;
type Dataset = {readonly id: string; readonly name: string; readonly episodes: number};

/** So many are told with what is against them; the explorer lists them all. */
const mostTold = 20;

/**
 * Says which episodes of a dataset are unlike their siblings, the worst first, and why; that none is, or that there are
 * too few to tell, is said too.
 *
 * @returns how many there are; undefined where it cannot be told of any
 */
export async function saySuspects(client: SuspectClient, dataset: Dataset): Promise<number | undefined> {
	const {data} = await client.localExplore({
		dataset_ids: [dataset.id],
		tags: [suspectTag],
		sort: worstFirst,
		limit: mostTold,
	});
	const total = Number(data.total);
	if (total === 0) return sayNone(client, dataset);
	say(`${dataset.name}: ${total} of ${dataset.episodes} suspect`);
	for (const {episode_index, metrics} of data.episodes) {
		const reasons = metrics?.suspect_reasons;
		const words = Array.isArray(reasons) ? reasons.join('; ') : '';
		say(printable(`  ${String(episode_index).padStart(5)}  ${words}`));
	}
	if (total > data.episodes.length) say(`  and ${total - data.episodes.length} more`);
	return total;
}

async function sayNone(client: SuspectClient, {id, name, episodes}: Dataset): Promise<0 | undefined> {
	if (episodes === 0) return undefined;
	const {data} = await client.localExplore({dataset_ids: [id], sort: worstFirst, limit: 1});
	const metrics = data.episodes[0]?.metrics;
	if (typeof metrics?.doubt === 'number') {
		say(`${name}: none of ${episodes} suspect`);
		return 0;
	}
	const note = metrics?.siblings_note;
	if (typeof note === 'string') say(printable(`${name}: ${note}`));
	return undefined;
}

/** What of all that was taken in is unlike its siblings, in a sentence; undefined where nothing was. */
export function suspectsIn(taken: readonly TakenIn[]): string | undefined {
	const some = taken.filter(({episodes}) => episodes > 0);
	const told = some.filter(({suspects}) => suspects !== undefined);
	const sum = (of: (dataset: TakenIn) => number) => told.reduce((all, dataset) => all + of(dataset), 0);
	const [suspects, episodes] = [sum(dataset => dataset.suspects ?? 0), sum(dataset => dataset.episodes)];
	const found =
		suspects === 0 ? `None of ${episodes} suspect.` : `${suspects} of ${episodes} suspect, the worst first.`;
	const few = some.length - told.length;
	const untold = `${few === 1 ? '1 dataset has' : `${few} datasets have`} too few episodes of a task to tell.`;
	const sentences = [...(told.length > 0 ? [found] : []), ...(few > 0 ? [untold] : [])];
	return sentences.length === 0 ? undefined : sentences.join(' ');
}
