import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import {sampleProgress} from '../contract/progress-detail.ts';
import {progressDisplay} from './print/progress.ts';

const pollMs = 200;

/** Has the sample written and ingested, unless it exists, and shows the progress. */
export async function awaitSample(client: Client): Promise<void> {
	const display = progressDisplay();
	try {
		let {data} = await client.startSample();
		while (data.phase !== 'ready') {
			if (data.phase === 'failed') {
				throw new Error(`The sample lake could not be made: ${data.message ?? 'no reason was given'}`);
			}
			const {done, total, unit} = sampleProgress(data);
			display.show({subject: 'sample lake', step: data.step ?? data.phase, done, total, unit});
			await delay(pollMs);
			({data} = await client.sampleStatus());
		}
	} finally {
		display.clear();
	}
}
