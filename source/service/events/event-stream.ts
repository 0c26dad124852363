import type {ServerResponse} from 'node:http';
import type {EventHub} from './event-hub.ts';
import type {StoredEvent} from './event-store.ts';

type EventPace = {
	/** After this long without an event a comment says that the stream is alive. */
	readonly keepAliveMs: number;
	/** A reader that takes nothing for this long is dropped: it comes back with the last id it saw. */
	readonly patienceMs: number;
};

const eventPace: EventPace = {keepAliveMs: 15_000, patienceMs: 20_000};

/** How many events are handed to a reader at once. */
const portion = 128;

/** How long a reader should wait before it comes back, as it is told. */
const returnMs = 1000;

const written = ({id, name, data}: StoredEvent) => `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;

/** Where a reader begins: after which event, and what it is told first. */
type Beginning = {readonly cursor: number; readonly first: string};

/** @param lastEventId the `Last-Event-ID` that the reader came with */
export function beginning(hub: EventHub, lastEventId: string | undefined): Beginning {
	const newest = hub.newest();
	if (!lastEventId) return {cursor: newest, first: written({id: newest, name: 'ready', data: '{}'})};
	const known = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
	if (known !== undefined && hub.reaches(known)) return {cursor: known, first: ''};
	const data = JSON.stringify({after: known === undefined ? null : lastEventId});
	return {cursor: newest, first: written({id: newest, name: 'gap', data})};
}

/**
 * One reader's stream of server-sent events. It holds one portion at a time and takes the next from the history when
 * the reader has taken that, so that a slow reader costs no memory.
 *
 * @param drop ends the connection of a reader that takes nothing
 * @param signal ends the stream
 * @param begin called when it begins; what that returns, when it has ended in whatever way
 */
export function eventStream({
	hub,
	from,
	drop,
	signal,
	begin,
	pace = eventPace,
}: {
	hub: EventHub;
	from: Beginning;
	drop: () => void;
	signal: AbortSignal;
	begin: () => () => void;
	pace?: EventPace;
}): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let {cursor} = from;
	let first = `retry: ${returnMs}\n\n${from.first}`;
	let wanted = false;
	let handedAt = performance.now();
	let end = () => {};

	function next(): string {
		const events = hub.after(cursor, portion);
		cursor = events.at(-1)?.id ?? cursor;
		const text = first + events.map(written).join('');
		first = '';
		return text;
	}

	function hand(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
		wanted = false;
		handedAt = performance.now();
		controller.enqueue(encoder.encode(text));
	}

	function follow(controller: ReadableStreamDefaultController<Uint8Array>): void {
		if (!wanted) return;
		const text = next();
		if (text !== '') hand(controller, text);
	}

	function look(controller: ReadableStreamDefaultController<Uint8Array>): void {
		const since = performance.now() - handedAt;
		if (wanted && since >= pace.keepAliveMs) hand(controller, ': alive\n\n');
		else if (!wanted && since >= pace.patienceMs) drop();
	}

	return new ReadableStream<Uint8Array>(
		{
			start(controller) {
				const onEnd = begin();
				const leave = hub.listen(() => follow(controller));
				const timer = setInterval(
					() => look(controller),
					Math.min(1000, pace.keepAliveMs / 2, pace.patienceMs / 2),
				);
				const close = () => {
					end();
					controller.close();
				};
				end = () => {
					end = () => {};
					leave();
					clearInterval(timer);
					signal.removeEventListener('abort', close);
					onEnd();
				};
				signal.addEventListener('abort', close, {once: true});
			},
			pull(controller) {
				wanted = true;
				try {
					follow(controller);
				} catch (error) {
					// A stream that fails is not cancelled.
					end();
					throw error;
				}
			},
			cancel: () => end(),
		},
		// Nothing is made before the reader wants it.
		{highWaterMark: 0},
	);
}

/**
 * Sends what a stream gives, no faster than it is taken, and then ends. A connection that closes cancels the stream; a
 * stream that fails closes the connection.
 */
export async function pour(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
	const reader = stream.getReader();
	const closed = new Promise<void>(resolve => {
		if (outgoing.closed) resolve();
		else outgoing.once('close', resolve);
	});
	void closed.then(() => reader.cancel()).catch(() => undefined);
	try {
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			if (outgoing.write(read.value)) continue;
			const {promise: drained, resolve} = Promise.withResolvers<void>();
			outgoing.once('drain', resolve);
			await Promise.race([drained, closed]);
		}
		outgoing.end();
	} catch {
		outgoing.destroy();
	}
}
