import type {LookupFunction} from 'node:net';
import type {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import type {ServiceAddress} from './address.ts';
import {acceptedEncodings, LargeBodies, readBody} from './body.ts';
import {loadSending, mayUseProxy, openDispatcher} from './dispatcher.ts';
import {NetworkError, RequestError} from './errors.ts';
import {failureCode, failureSentence} from './failure-sentence.ts';
import type {Timeouts} from './options.ts';

export type WireRequest = {
	readonly method: 'GET' | 'POST';
	/** With its query, below the service's address. */
	readonly path: string;
	/** JSON. */
	readonly body: string | undefined;
	/** Sent on a connection of its own, which no earlier call can have left half closed. */
	readonly fresh: boolean;
};

export type WireAnswer = {
	readonly status: number;
	readonly statusText: string;
	readonly header: (name: string) => string | undefined;
	readonly text: string;
};

/** A request as it is to be sent, with nothing added but the key. */
type OpenRequest = {
	readonly method: string;
	/** With its query, below the service's address. */
	readonly path: string;
	readonly body?: Uint8Array | undefined;
	readonly headers: Readonly<Record<string, string>>;
	/** How long the answer's body may pause, in milliseconds; 0 for as long as it likes. @default `timeouts.body` */
	readonly bodyMs?: number | undefined;
};

/** The head of an answer, whose body is yet to come, as its bytes are. */
export type OpenAnswer = {
	readonly status: number;
	readonly statusText: string;
	readonly header: (name: string) => string | undefined;
	/** To be read to its end or left: leaving it closes the connection. Fails with a {@link NetworkError}. */
	readonly body: AsyncGenerator<Uint8Array, void>;
};

/** How far one try got; told while it runs, since it matters most when it fails. */
export type Progress = {
	/** The request may have reached the service. */
	sent: boolean;
};

export type Transport = {
	/**
	 * Sends one request once and reads its whole answer, whatever its status. Redirects are not followed.
	 *
	 * @throws {NetworkError} when no whole answer came; the signal's reason when it was aborted; UnreadableBodyError;
	 * RequestError where the environment's proxy can't be one.
	 */
	send(request: WireRequest, progress: Progress, signal: AbortSignal): Promise<WireAnswer>;
	/**
	 * Sends one request once, and leaves its body to be read. Redirects are not followed.
	 *
	 * @throws {NetworkError} when no answer came; the signal's reason when it was aborted.
	 */
	open(request: OpenRequest, progress: Progress, signal: AbortSignal): Promise<OpenAnswer>;
	/** Ends all connections. */
	close(): Promise<void>;
};

type TransportOptions = {
	readonly address: ServiceAddress;
	readonly key: string | undefined;
	readonly extraCertificates: string | undefined;
	readonly timeouts: Timeouts;
	readonly maxBodyBytes: number;
	/** Resolves names, but for those that a proxy does. @default the machine's */
	readonly lookup?: LookupFunction | undefined;
};

/** Tells when a request begins to be written to an open connection. */
function observed(dispatcher: Dispatcher, progress: Progress): Pick<Dispatcher, 'dispatch'> {
	return {
		dispatch(options, handler) {
			const onRequestStart = handler.onRequestStart;
			handler.onRequestStart = (controller, context) => {
				progress.sent = true;
				onRequestStart?.call(handler, controller, context);
			};
			return dispatcher.dispatch(options, handler);
		},
	};
}

function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value.join(', ') : value;
}

export function createTransport(options: TransportOptions): Transport {
	const {address, key, timeouts, maxBodyBytes} = options;
	const open = new Map<boolean, Promise<Dispatcher>>();
	const largeBodies = new LargeBodies();

	function dispatcher(keepAlive: boolean): Promise<Dispatcher> {
		const existing = open.get(keepAlive);
		if (existing) return existing;
		const opened = openDispatcher({
			loopback: address.loopback,
			extraCertificates: options.extraCertificates,
			connectMs: timeouts.connect,
			keepAlive,
			lookup: options.lookup,
		});
		open.set(keepAlive, opened);
		return opened;
	}

	/** Sends a request and waits for the head of its answer. */
	async function begin(
		request: Omit<OpenRequest, 'body'> & {body: string | Uint8Array | undefined},
		{fresh, progress, signal}: {fresh: boolean; progress: Progress; signal: AbortSignal},
	) {
		const {method, path, headers, body, bodyMs = timeouts.body} = request;
		const [{default: sendRequest}, through] = await Promise.all([loadSending(), dispatcher(!fresh)]);
		signal.throwIfAborted();
		const answer = await sendRequest.call(observed(through, progress), {
			origin: address.origin,
			path: address.prefix + path,
			method: method as Dispatcher.HttpMethod,
			headers: {...headers, ...(key === undefined ? {} : {'x-api-key': key})},
			body: body ?? null,
			headersTimeout: timeouts.headers,
			bodyTimeout: bodyMs,
			signal,
		});
		const {statusCode: status, statusText, body: received} = answer;
		return {status, statusText, header: (name: string) => headerOf(answer.headers, name), received};
	}

	async function exchange(
		request: WireRequest,
		progress: Progress,
		signal: AbortSignal,
	): Promise<WireAnswer> {
		const headers = {
			accept: 'application/json',
			...(address.loopback ? {} : {'accept-encoding': acceptedEncodings}),
			...(request.body === undefined ? {} : {'content-type': 'application/json'}),
		};
		const {received, ...head} = await begin({...request, headers}, {fresh: request.fresh, progress, signal});
		const encoding = head.header('content-encoding') ?? '';
		const bounds = {
			encoding,
			maxBytes: maxBodyBytes,
			announced: head.header('content-length'),
			turn: () => largeBodies.enter(signal),
		};
		return {...head, text: await readBody(received, bounds)};
	}

	/** The error for a failure of the connection; an abort keeps its own reason. */
	function failure(error: unknown, signal: AbortSignal): unknown {
		if (signal.aborted) return signal.reason;
		if (!(error instanceof Error) || error.name === 'UnreadableBodyError') return error;
		if (error instanceof RequestError) return error;
		const code = failureCode(error);
		const proxied = mayUseProxy(address);
		const about = {shown: address.shown, timeouts, message: error.message, proxied};
		return new NetworkError(failureSentence(code, about), {code, cause: error});
	}

	async function* chunksOf(received: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
		try {
			yield* received as AsyncIterable<Uint8Array>;
		} catch (error) {
			throw failure(error, signal);
		} finally {
			received.on('error', () => undefined).destroy();
		}
	}

	/** A body that may be left before its first piece was asked for, when a generator's own end has yet to begin. */
	function bodyOf(received: Readable, signal: AbortSignal): OpenAnswer['body'] {
		const chunks = chunksOf(received, signal);
		const leave = chunks.return.bind(chunks);
		chunks.return = value => {
			received.on('error', () => undefined).destroy();
			return leave(value);
		};
		return chunks;
	}

	return {
		async send(request, progress, signal) {
			try {
				return await exchange(request, progress, signal);
			} catch (error) {
				throw failure(error, signal);
			}
		},
		async open(request, progress, signal) {
			try {
				const once = {fresh: true, progress, signal};
				const {received, ...head} = await begin({...request, body: request.body}, once);
				return {...head, body: bodyOf(received, signal)};
			} catch (error) {
				throw failure(error, signal);
			}
		},
		async close() {
			const opened = await Promise.allSettled(open.values());
			// A failure to open was reported by the call that needed it.
			await Promise.all(opened.map(each => each.status === 'fulfilled' && each.value.destroy()));
		},
	};
}
