import type {Dispatcher} from 'undici';
import type {ServiceAddress} from './address.ts';
import {acceptedEncodings, readBody} from './body.ts';
import {openDispatcher} from './dispatcher.ts';
import {NetworkError} from './errors.ts';
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

/** How far one try got; told while it runs, since it matters most when it fails. */
export type Progress = {
	/** The request may have reached the service. */
	sent: boolean;
};

export type Transport = {
	/**
	 * Sends one request once and reads its whole answer, whatever its status. Redirects are not followed.
	 *
	 * @throws {NetworkError} when no whole answer came; the signal's reason when it was aborted; UnreadableBodyError.
	 */
	send(request: WireRequest, progress: Progress, signal: AbortSignal): Promise<WireAnswer>;
	/** Ends all connections. */
	close(): Promise<void>;
};

export type TransportOptions = {
	readonly address: ServiceAddress;
	readonly key: string | undefined;
	readonly extraCertificates: string | undefined;
	readonly timeouts: Timeouts;
	readonly maxBodyBytes: number;
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

	function dispatcher(keepAlive: boolean): Promise<Dispatcher> {
		const existing = open.get(keepAlive);
		if (existing) return existing;
		const opened = openDispatcher({
			loopback: address.loopback,
			extraCertificates: options.extraCertificates,
			connectMs: timeouts.connect,
			keepAlive,
		});
		open.set(keepAlive, opened);
		return opened;
	}

	async function exchange(
		request: WireRequest,
		progress: Progress,
		signal: AbortSignal,
	): Promise<WireAnswer> {
		const [{default: sendRequest}, through] = await Promise.all([
			import('undici/lib/api/api-request.js'),
			dispatcher(!request.fresh),
		]);
		signal.throwIfAborted();
		const answer = await sendRequest.call(observed(through, progress), {
			origin: address.origin,
			path: address.prefix + request.path,
			method: request.method,
			headers: {
				accept: 'application/json',
				...(address.loopback ? {} : {'accept-encoding': acceptedEncodings}),
				...(request.body === undefined ? {} : {'content-type': 'application/json'}),
				...(key === undefined ? {} : {'x-api-key': key}),
			},
			body: request.body ?? null,
			headersTimeout: timeouts.headers,
			bodyTimeout: timeouts.body,
			signal,
		});
		const header = (name: string) => headerOf(answer.headers, name);
		const encoding = header('content-encoding') ?? '';
		const text = await readBody(answer.body, {encoding, maxBytes: maxBodyBytes});
		return {status: answer.statusCode, statusText: answer.statusText, header, text};
	}

	return {
		async send(request, progress, signal) {
			try {
				return await exchange(request, progress, signal);
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof Error) || error.name === 'UnreadableBodyError') throw error;
				const code = failureCode(error);
				const about = {shown: address.shown, timeouts, message: error.message};
				throw new NetworkError(failureSentence(code, about), {code, cause: error});
			}
		},
		async close() {
			const dispatchers = await Promise.all(open.values());
			await Promise.all(dispatchers.map(each => each.destroy()));
		},
	};
}
