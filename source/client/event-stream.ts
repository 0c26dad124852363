import {endpoints} from '../contract/endpoints.ts';
import type {AnswerContext} from './answer.ts';
import {failedAnswer} from './answer.ts';
import {readBody} from './body.ts';
import {ContractError} from './errors.ts';
import type {CallOptions} from './options.ts';
import type {RawCaller} from './raw-call.ts';

/** An event of the service as it came. */
export type ServerEvent = {
	/** The last id that was seen, this event's or an earlier one's: what to come back with. */
	readonly id: string | undefined;
	/** `message` where the service gave it none. */
	readonly name: string;
	readonly data: string;
};

export type EventOptions = CallOptions & {
	/** The last id that was seen: the service then gives what followed, as far as it can. */
	readonly lastEventId?: string | undefined;
	/** Called once the service has begun to answer. */
	readonly onOpen?: (() => void) | undefined;
	/** Called with what the service asks to wait before coming back, in milliseconds. */
	readonly onRetry?: ((ms: number) => void) | undefined;
};

/** The longest wait that a service may ask for. */
const longestRetryMs = 60_000;

/** The largest event; a service that sends a larger one is left. */
const maxEventChars = 1024 * 1024;

/**
 * Section 4.18: the events of one connection, which ends with it; coming back is the caller's to do.
 *
 * @throws {NetworkError} when the connection fails, RefusedError or ServiceError when it is refused, ContractError
 * when what comes is no stream of events.
 */
export async function* readEvents(
	call: RawCaller,
	context: Omit<AnswerContext, 'endpoint'>,
	{signal, lastEventId, onOpen, onRetry}: EventOptions = {},
): AsyncGenerator<ServerEvent, void> {
	const {createParser} = await import('eventsource-parser');
	const {method, path} = endpoints.events;
	const headers = {accept: 'text/event-stream', ...(lastEventId && {'last-event-id': lastEventId})};
	const answer = await call({method, path, headers}, {signal});
	const about = {...context, endpoint: endpoints.events};
	const type = answer.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (answer.status < 200 || answer.status > 299) {
		const {Readable} = await import('node:stream');
		const text = await readBody(Readable.from(answer.body), {encoding: '', maxBytes: maxEventChars});
		throw failedAnswer(about, {...answer, text});
	}
	const breach = (expected: string, found: string) =>
		new ContractError(
			`${context.shown} answered GET ${path} against the interface: expected ${expected}, found ${found}.`,
			`GET ${path}`,
			[{path: '(the whole body)', expected, found}],
		);
	if (type !== 'text/event-stream') {
		await answer.body.return();
		throw breach('text/event-stream', type ?? 'no content type');
	}
	onOpen?.();
	let id = lastEventId || undefined;
	let ready: ServerEvent[] = [];
	let broken: string | undefined;
	const parser = createParser({
		maxBufferSize: maxEventChars,
		onEvent: event => {
			id = event.id ?? id;
			ready.push({id, name: event.event ?? 'message', data: event.data});
		},
		onRetry: ms => onRetry?.(Math.min(ms, longestRetryMs)),
		onError: error => {
			// A field that is not known is passed over, as the standard has it.
			if (error.type === 'max-buffer-size-exceeded') broken = error.message;
		},
	});
	const decoder = new TextDecoder();
	for await (const chunk of answer.body) {
		parser.feed(decoder.decode(chunk, {stream: true}));
		const events = ready;
		ready = [];
		yield* events;
		if (broken !== undefined) throw breach(`events of at most ${maxEventChars} characters`, 'a larger one');
	}
}
