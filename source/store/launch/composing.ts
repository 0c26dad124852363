import type {Client} from '../../client/client.ts';
import {wait} from '../../client/retry.ts';
import {mostComposed} from '../../contract/local-compose.ts';
import {readProgressDetail} from '../../contract/progress-detail.ts';
import {selectedPages} from '../selection/selected-pages.ts';
import type {Selection} from '../selection/selection.ts';

type ComposingClient = Pick<Client, 'explore' | 'compose' | 'composition'>;

const lookEveryMs = 500;

/** Orders one dataset of the episodes selected. @returns the operation that makes it @throws what speaks against it */
export async function orderComposition(
	client: ComposingClient,
	selection: Selection,
	name: string,
	signal: AbortSignal,
): Promise<string> {
	const ids: string[] = [];
	for await (const {episodes} of selectedPages(client, selection, signal)) {
		for (const {episode_id} of episodes) ids.push(episode_id);
		if (ids.length > mostComposed) {
			throw new Error(`A dataset is composed of at most ${mostComposed} episodes: narrow them down first.`);
		}
	}
	const {data} = await client.compose({name, episode_ids: ids}, {signal});
	return data.operation_id;
}

/**
 * Waits for the end of a composition.
 *
 * @param tell is told how far it is.
 * @returns the id of the dataset that it made
 * @throws with the reason where none came of it
 */
export async function composed(
	client: ComposingClient,
	operationId: string,
	tell: (progress: string) => void,
	signal: AbortSignal,
): Promise<string> {
	for (;;) {
		const {data} = await client.composition(operationId, {signal});
		const {phase, done, message, progress_json: detail} = data.status;
		if (phase === 'finalized') return data.repo_id;
		if (done) throw new Error(`${data.dataset_name} was not composed: ${message ?? `it is ${phase}`}`);
		const progress = readProgressDetail(detail);
		const amount = progress?.total === undefined ? '' : ` ${progress.done} of ${progress.total}`;
		tell(`${progress?.step ?? phase}${amount}`);
		await wait(lookEveryMs, signal);
	}
}
