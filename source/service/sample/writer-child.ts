import {text} from 'node:stream/consumers';
import {writeSample} from '../../sample/write-sample.ts';
import {findEncoder} from '../ffmpeg/encode-video.ts';
import {type WriterReport, writerRequest} from './writer-report.ts';

function report(value: WriterReport): void {
	process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** The process that writes the sample's datasets, so that its service stays free to answer. */
export async function runWriter(): Promise<void> {
	// Without a service that reads the reports, it ends.
	process.stdout.on('error', () => process.exit(1));
	try {
		const {folder, datasets} = writerRequest.parse(JSON.parse(await text(process.stdin)));
		await writeSample(folder, {
			encoder: await findEncoder(),
			datasets,
			onProgress: (done, total, dataset) => report({type: 'progress', done, total, dataset}),
			onDataset: (name, written) => report({type: 'written', name, folder: written}),
		});
		report({type: 'done'});
	} catch (error) {
		report({type: 'failed', message: error instanceof Error ? error.message : String(error)});
	}
}
