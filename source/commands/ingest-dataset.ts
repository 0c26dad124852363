import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import {type IngestRecord, type IngestRequest, ingestProgress} from '../contract/local.ts';
import type {ProgressDisplay, Step} from './progress.ts';

/** The first waits are short, since small datasets are in at once. */
const pollMs = {first: 50, most: 400} as const;

function parseProgress(text: string | null | undefined) {
	if (!text) return undefined;
	try {
		return ingestProgress.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

function stepOf({dataset_name, status}: IngestRecord): Step {
	const progress = parseProgress(status.progress_json);
	return {
		subject: dataset_name,
		step: progress ? `${status.phase}, ${progress.step}` : status.phase,
		done: progress?.done,
		total: progress?.total,
		unit: progress?.unit,
	};
}

/** Takes one dataset into the lake and follows it to its end, which the record returned tells. */
export async function ingestDataset(
	client: Client,
	request: IngestRequest,
	display: ProgressDisplay,
): Promise<IngestRecord> {
	let {data: record} = await client.ingest(request);
	for (let wait: number = pollMs.first; !record.status.done; wait = Math.min(wait * 2, pollMs.most)) {
		display.show(stepOf(record));
		await delay(wait);
		({data: record} = await client.ingestRecord(record.operation_id));
	}
	display.clear();
	return record;
}
