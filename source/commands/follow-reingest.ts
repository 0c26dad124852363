import type {Client} from '../client/client.ts';
import {wait} from '../client/retry.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import {ingestStep} from './ingest-step.ts';
import type {ProgressDisplay} from './progress.ts';

/** The first waits are short, since small datasets are in at once. */
const pollMs = {first: 50, most: 1000} as const;

/** Watches a re-ingest to its end, which the status returned tells. */
export async function followReingest(
	client: Client,
	operationId: string,
	{subject, display, signal}: {subject: string; display: ProgressDisplay; signal: AbortSignal},
): Promise<SyncStatus> {
	for (let pause: number = pollMs.first; ; pause = Math.min(pause * 2, pollMs.most)) {
		const {data: status} = await client.syncStatus(operationId, {signal});
		if (status.done) {
			display.clear();
			return status;
		}
		display.show(ingestStep(subject, status));
		await wait(pause, signal);
	}
}
