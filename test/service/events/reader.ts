import {type IncomingMessage, request} from 'node:http';
import {createParser, type EventSourceMessage} from 'eventsource-parser';
import type {Address} from '../support/call.ts';

/** A connection to `/v1/events`, read as a browser's EventSource would. */
export type Reader = {
	readonly status: number;
	readonly headers: IncomingMessage['headers'];
	readonly events: readonly EventSourceMessage[];
	readonly comments: readonly string[];
	/** Settles when the stream has ended, however. */
	readonly ended: Promise<void>;
	close(): void;
	/** The socket is read no more, and then again. */
	pause(): void;
	resume(): void;
};

export function readEvents({url, key}: Address, lastEventId?: string): Promise<Reader> {
	const events: EventSourceMessage[] = [];
	const comments: string[] = [];
	const parser = createParser({
		onEvent: event => events.push(event),
		onComment: comment => comments.push(comment),
	});
	return new Promise((resolve, reject) => {
		const call = request(new URL('/v1/events', url), {
			agent: false,
			headers: {'x-api-key': key, ...(lastEventId !== undefined && {'last-event-id': lastEventId})},
		});
		call.on('error', reject);
		call.on('response', response => {
			const ended = new Promise<void>(done => response.once('close', () => done()));
			response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
			response.on('error', () => undefined);
			const {statusCode: status = 0, headers} = response;
			resolve({
				status,
				headers,
				events,
				comments,
				ended,
				close: () => call.destroy(),
				pause: () => response.pause(),
				resume: () => response.resume(),
			});
		});
		call.end();
	});
}
