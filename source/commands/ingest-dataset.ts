import type {Client} from '../client/client.ts';
import {wait as pause} from '../client/retry.ts';
import type {IngestRecord, IngestRequest} from '../contract/local.ts';
import {ingestStep} from './ingest-step.ts';
import type {ProgressDisplay} from './progress.ts';

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
