import {text} from 'node:stream/consumers';
import type {IngestProgress} from '../../contract/local.ts';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {endWithParent} from '../workers/inside-child.ts';
import {composeDataset} from './compose-dataset.ts';
import {type ComposeReport, composeWork} from './compose-messages.ts';

/** Milliseconds between two lines of progress. */
const pause = 100;

function say(report: ComposeReport): void {
	process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** The innermost error: the outer ones name folders inside the lake, which users do not know. */
function innermost(error: unknown): unknown {
	let inner = error;
	while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
	return inner;
}

/** The process that composes a dataset, so that its service stays free to answer, and can end it. */
export async function runComposer(): Promise<void> {
	endWithParent();
	let last = Number.NEGATIVE_INFINITY;
	try {
		const work = composeWork.parse(JSON.parse(await text(process.stdin)));
		const onProgress = (progress: IngestProgress) => {
			const now = performance.now();
			if (now - last < pause && progress.done < progress.total) return;
			last = now;
			say({type: 'progress', ...progress});
		};
		const summary = await composeDataset(work, onProgress, await Ffmpeg.find());
		say({type: 'done', ...summary});
	} catch (error) {
		const reason = innermost(error);
		if (!(reason instanceof DatasetError)) {
			process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
		}
		say({type: 'failed', message: reasonOf(reason).slice(0, 2000)});
	}
}
