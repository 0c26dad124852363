import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import type {IngestRecord, IngestRequest} from '../contract/local.ts';
import {ingestStep} from './ingest-step.ts';
import type {ProgressDisplay} from './progress.ts';

/** The first waits are short, since small datasets are in at once. */
const pollMs = {first: 50, most: 400} as const;

/** Takes one dataset into the lake and follows it to its end, which the record returned tells. */
export async function ingestDataset(
	client: Client,
	request: IngestRequest,
	display: ProgressDisplay,
): Promise<IngestRecord> {
	let {data: record} = await client.ingest(request);
	for (let wait: number = pollMs.first; !record.status.done; wait = Math.min(wait * 2, pollMs.most)) {
		display.show(ingestStep(record.dataset_name, record.status));
		await delay(wait);
		({data: record} = await client.ingestRecord(record.operation_id));
	}
	display.clear();
	return record;
}
