import type {Client} from '../../client/client.ts';
import {wait} from '../../client/retry.ts';
import {readProgressDetail} from '../../contract/progress-detail.ts';

const lookEveryMs = 500;

/**
 * Waits for the end of a composition.
 *
 * @param tell is told how far it is.
 * @returns the id of the dataset that it made
 * @throws with the reason where none came of it
 */
export async function composed(
	client: Pick<Client, 'composition'>,
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
