import {createInterface} from 'node:readline';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {progressModelOf} from '../../lerobot/read-reward-progress.ts';
import {endWithParent} from '../workers/inside-child.ts';
import {Reporter} from '../workers/reporter.ts';
import {type ChildRequest, childRequest} from './child-request.ts';
import {ingestDataset} from './ingest-dataset.ts';
import {ingestRewardProgress} from './ingest-reward-progress.ts';

/**
 * The process that reads one dataset. It takes its request as a JSON line on stdin, reports on stdout, one JSON
 * object a line, and ends with 0 once it has said `done` or `failed`. Any other end is a crash.
 */
async function main(): Promise<void> {
	endWithParent();
	// Its staged files are the lake's, or the cache's.
	process.umask(0o077);
	const reporter = new Reporter(line => process.stdout.write(line));
	let request: ChildRequest | undefined;
	try {
		request = await readRequest();
		const ingest = progressModelOf(request.folder) === undefined ? ingestDataset : ingestRewardProgress;
		const {episodeCount, totalFrames} = await ingest(request, reporter);
		reporter.done(episodeCount, totalFrames);
	} catch (error) {
		if (error instanceof DatasetError) {
			reporter.failed(error.message);
			return;
		}
		process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
		reporter.failed(`${request?.folder ?? 'The dataset'} could not be ingested: ${reasonOf(error)}`);
	}
}

async function readRequest(): Promise<ChildRequest> {
	for await (const line of createInterface({input: process.stdin})) {
		const read = childRequest.safeParse(JSON.parse(line));
		if (read.success) return read.data;
		throw new Error(`the request has a wrong ${read.error.issues[0]?.path.join('.')}`);
	}
	throw new Error('no request came on stdin');
}

await main();
