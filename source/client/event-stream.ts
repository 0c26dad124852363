import {endpoints} from '../contract/endpoints.ts';
import {type AnswerContext, failedAnswer} from './answer.ts';
import {codingNamed, readBody} from './body.ts';
import {ClientError, ContractError} from './errors.ts';
import type {CallOptions} from './options.ts';
import type {RawCaller} from './raw-call.ts';
import {retryBounds} from './return-delay.ts';
import type {OpenAnswer} from './transport.ts';

/** An event of the service as it came. */
export type ServerEvent = {
	/** Its own id, where it has one. */
	readonly id: string | undefined;
	/** The last id there was, its own or an earlier event's: what to come back with. Not to be shown. */
	readonly lastId: string;
	/** `message` where the service gave it none. */
	readonly name: string;
	readonly data: string;
};

export type EventOptions = CallOptions & {
	/** The last id that was seen: the service then gives what followed, as far as it can. */
	readonly lastEventId?: string | undefined;
	/** Called once the service has begun to answer with events. */
	readonly onOpen?: (() => void) | undefined;
	/** Called with everything that comes, a comment or half an event too. */
	readonly onActivity?: (() => void) | undefined;
	/** Called with an id that came without an event: what to come back with. */
	readonly onLastId?: ((id: string) => void) | undefined;
	/** Called with what the service asks to wait before coming back, in milliseconds, brought within bounds. */
	readonly onRetry?: ((ms: number) => void) | undefined;
};

/** The largest body of a refusal that is read. */
const maxRefusalBytes = 1024 * 1024;

/** The service has no events for this account, and asks not to come back (204). */
export class NoEventsError extends ClientError {
	override readonly name = 'NoEventsError';
}

/** An event was larger than is held of one: what follows it can't be reached on this stream. */
export class EventTooLargeError extends ContractError {
	override readonly name = 'EventTooLargeError';
}

/** An id as a header holds it: its UTF-8 bytes. Undefined where a header can't hold it. */
function headerOf(id: string): string | undefined {
	if (id === '' || id.length > 1024) return undefined;
	const bytes = Buffer.from(id, 'utf8').toString('latin1');
	return /^[\t\x20-\x7e\x80-\xff]+$/.test(bytes) ? bytes : undefined;
}

/** True if a service can be told to go on after this id. */
export const canResumeAfter = (id: string): boolean => headerOf(id) !== undefined;

const call = `${endpoints.events.method} ${endpoints.events.path}`;

function breach(shown: string, expected: string, found: string) {
	const sentence = `${shown} answered ${call} in breach of the interface: expected ${expected}, found ${found}.`;
	return [sentence, call, [{path: '(the whole body)', expected, found}]] as const;
}

/** Refuses any answer that is no stream of events. */
async function requireStream(answer: OpenAnswer, context: Omit<AnswerContext, 'endpoint'>): Promise<void> {
	const {status, header, body} = answer;
	if (status < 200 || status > 299) {
		const {Readable} = await import('node:stream');
		const text = await readBody(Readable.from(body), {encoding: '', maxBytes: maxRefusalBytes});
		throw failedAnswer({...context, endpoint: endpoints.events}, {...answer, text});
	}
	const type = context.cover.text(header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '');
	const encoding = header('content-encoding')?.trim().toLowerCase() || 'identity';
	if (status !== 204 && type === 'text/event-stream' && encoding === 'identity') return;
	await body.return();
	if (status === 204) throw new NoEventsError(`${context.shown} has no events (204).`);
	if (type !== 'text/event-stream') {
		throw new ContractError(
			...breach(context.shown, 'text/event-stream', type.slice(0, 60) || 'no content type'),
		);
	}
	throw new ContractError(...breach(context.shown, 'plain text', context.cover.text(codingNamed(encoding))));
}

/**
 * Section 4.18: the events of one connection, which ends with it; coming back is the caller's to do. A service that
 * echoes the key shows it nowhere.
 *
 * @throws {NetworkError} when the connection fails, RefusedError or ServiceError when it is refused, NoEventsError,
 * ContractError when what comes is no stream of events, EventTooLargeError.
 */
export async function* readEvents(
	open: RawCaller,
	context: Omit<AnswerContext, 'endpoint'>,
	{signal, lastEventId = '', onOpen, onActivity, onLastId, onRetry}: EventOptions = {},
): AsyncGenerator<ServerEvent, void> {
	const {EventParser, maxEventChars} = await import('./event-parser.ts');
	const {method, path} = endpoints.events;
	const resumed = headerOf(lastEventId);
	const headers = {
		accept: 'text/event-stream',
		'accept-encoding': 'identity',
		'cache-control': 'no-store',
		...(resumed !== undefined && {'last-event-id': resumed}),
	};
	// How long a stream may be silent is the caller's to say: nothing comes while nothing happens.
	const answer = await open({method, path, headers, bodyMs: 0}, {signal});
	await requireStream(answer, context);
	onOpen?.();
	const {text: hide} = context.cover;
	const parser = new EventParser({
		lastId: lastEventId,
		onRetry: ms => onRetry?.(Math.min(retryBounds.most, Math.max(retryBounds.least, ms))),
	});
	for await (const chunk of answer.body) {
		onActivity?.();
		for (const {lastId, event} of parser.feed(chunk)) {
			if (!event) {
				onLastId?.(lastId);
				continue;
			}
			const {id, name, data} = event;
			yield {id: id === undefined ? undefined : hide(id), lastId, name: hide(name), data: hide(data)};
		}
		if (parser.overflowed) {
			const expected = `events of at most ${maxEventChars} characters`;
			throw new EventTooLargeError(...breach(context.shown, expected, 'a larger one'));
		}
	}
}
