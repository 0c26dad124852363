import type {Client} from '../client/client.ts';
import {wait as pause, wait} from '../client/retry.ts';
import type {IngestRecord, IngestRequest} from '../contract/local.ts';
import {readProgressDetail} from '../contract/progress-detail.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import type {ProgressDisplay, Step} from './print/progress.ts';

/** The first waits are short, since small datasets are in at once. */
const pollMs = {first: 50, most: 400} as const;

/** An ingest that was ordered, kept while services come and go: the next one of the lake takes it up again. */
export type BegunIngest = {record?: IngestRecord};

/** Takes one dataset into the lake, or goes on with what was begun, and follows it to its end, which the record tells. */
export async function ingestDataset(
	client: Client,
	request: IngestRequest,
	{begun, display, signal}: {begun: BegunIngest; display: ProgressDisplay; signal: AbortSignal},
): Promise<IngestRecord> {
	let {data: record} =
		begun.record === undefined
			? await client.ingest(request, {signal})
			: await client.ingestRecord(begun.record.operation_id, {signal});
	begun.record = record;
	for (let wait: number = pollMs.first; !record.status.done; wait = Math.min(wait * 2, pollMs.most)) {
		display.show(ingestStep(record.dataset_name, record.status));
		await pause(wait, signal);
		({data: record} = await client.ingestRecord(record.operation_id, {signal}));
		begun.record = record;
	}
	display.clear();
	return record;
}

/** The first waits are short, since small datasets are in at once. */
const followReingestPollMs = {first: 50, most: 1000} as const;

/** Watches a re-ingest to its end, which the status returned tells. */
export async function followReingest(
	client: Client,
	operationId: string,
	{subject, display, signal}: {subject: string; display: ProgressDisplay; signal: AbortSignal},
): Promise<SyncStatus> {
	for (
		let pause: number = followReingestPollMs.first;
		;
		pause = Math.min(pause * 2, followReingestPollMs.most)
	) {
		const {data: status} = await client.syncStatus(operationId, {signal});
		if (status.done) {
			display.clear();
			return status;
		}
		display.show(ingestStep(subject, status));
		await wait(pause, signal);
	}
}

/** How far an ingest is, for a bar. */
export function ingestStep(subject: string, {phase, progress_json}: SyncStatus): Step {
	const {step, done, total, unit} = readProgressDetail(progress_json) ?? {};
	return {subject, step: step === undefined ? phase : `${phase}, ${step}`, done, total, unit};
}
