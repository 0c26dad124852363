import {createInterface} from 'node:readline';
import {endWithParent} from '../workers/inside-child.ts';
import {SeriesRefusal, type SeriesReply, seriesRequest} from './series-messages.ts';
import {SeriesReader} from './series-reader.ts';

function say(reply: SeriesReply): void {
	process.stdout.write(`${JSON.stringify(reply)}\n`);
}

/** The process that reads series, one after the other, until its input ends. */
export async function runSeries(): Promise<void> {
	endWithParent();
	const reader = new SeriesReader();
	for await (const line of createInterface({input: process.stdin})) {
		const request = seriesRequest.parse(JSON.parse(line));
		const {number} = request;
		try {
			if ('frame' in request) say({type: 'frame', number, frame: await reader.frame(request, request.frame)});
			else say({type: 'series', number, series: await reader.read(request, request.series)});
		} catch (error) {
			if (!(error instanceof SeriesRefusal)) throw error;
			say({type: 'refused', number, reason: error.reason, message: error.message});
		}
	}
}
