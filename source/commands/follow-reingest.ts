import type {Client} from '../client/client.ts';
import {wait} from '../client/retry.ts';
import {ingestProgress} from '../contract/local.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import type {ProgressDisplay, Step} from './progress.ts';

/** The first waits are short, since small datasets are in at once. */
const pollMs = {first: 50, most: 1000} as const;

function parseProgress(text: string | null | undefined) {
	if (!text) return undefined;
	try {
		return ingestProgress.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

function stepOf(subject: string, {phase, progress_json}: SyncStatus): Step {
	const progress = parseProgress(progress_json);
	if (!progress) return {subject, step: phase};
	const {step, done, total, unit} = progress;
	return {subject, step: `${phase}, ${step}`, done, total, unit};
}

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
		display.show(stepOf(subject, status));
		await wait(pause, signal);
	}
}
