import {text} from 'node:stream/consumers';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {endWithParent} from '../workers/inside-child.ts';
import {type TrimReporter, trimDataset} from './trim-dataset.ts';
import {type TrimReport, trimRequest} from './trim-report.ts';

/** Milliseconds between two lines of progress. */
const pause = 100;

function say(report: TrimReport): void {
	process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** The process that trims a dataset, so that its service stays free to answer, and can end it. */
export async function runTrimmer(): Promise<void> {
	endWithParent();
	let last = Number.NEGATIVE_INFINITY;
	try {
		const request = trimRequest.parse(JSON.parse(await text(process.stdin)));
		const reporter: TrimReporter = {
			progress: progress => {
				const now = performance.now();
				if (now - last < pause && progress.done < progress.total) return;
				last = now;
				say({type: 'progress', ...progress});
			},
			problem: ({file, episodeIndex, message}) =>
				say({
					type: 'problem',
					file,
					...(episodeIndex !== undefined && {episode_index: episodeIndex}),
					message: message.slice(0, 2000),
				}),
		};
		const summary = await trimDataset(request, reporter, await Ffmpeg.find());
		say({type: 'done', ...summary});
	} catch (error) {
		if (!(error instanceof DatasetError))
			process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
		say({type: 'failed', message: reasonOf(error).slice(0, 2000)});
	}
}
