import {createServer, type IncomingMessage, type ServerResponse, request as sendRequest} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {listenOnOwnPort} from '../../support/own-port.ts';

/** A PUT of a blob as it passed. */
export type RecordedPut = {
	readonly blobId: string;
	readonly headers: IncomingMessage['headers'];
	/** When it began and, where the service confirmed it, when that was: places in one order of all events. */
	readonly begun: number;
	confirmed: number | undefined;
};

/** One PUT in the hands of a fault. */
export type PutExchange = {
	/** Counts the PUTs from 1. */
	readonly nth: number;
	readonly put: RecordedPut;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** Passes it on to the service and its answer back. */
	forward(): Promise<void>;
};

export type PutFault = (exchange: PutExchange) => void | Promise<void>;

export type RecordingProxy = {
	readonly url: string;
	readonly puts: readonly RecordedPut[];
	/** The blobs that were asked for, a list a call. */
	readonly batches: readonly (readonly string[])[];
	/** What happens to PUTs; without it they are passed on. */
	onPut: PutFault | undefined;
	/** Told of every request before it is passed on, and after its answer was. */
	onPassing: ((moment: 'request' | 'answer') => void) | undefined;
	/** Settles when nothing is on its way: what a broken-off client left may still reach the service and be confirmed. */
	quiet(): Promise<void>;
	/** Leads to another service from now on. */
	leadTo(origin: string): void;
	close(): Promise<void>;
};

function send(
	response: ServerResponse,
	status: number,
	headers: IncomingMessage['headers'],
	body: Buffer,
): void {
	const {'transfer-encoding': _, connection: __, ...kept} = headers;
	response.writeHead(status, {...kept, 'content-length': body.byteLength});
	response.end(body);
}

/** Stands before a service, notes every PUT, and can break it on the way. The service's targets lead through it. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
	let origin = target;
	let events = 0;
	const puts: RecordedPut[] = [];
	const batches: string[][] = [];

	function forward(
		request: IncomingMessage,
		response: ServerResponse,
		onAnswer: (status: number, body: Buffer) => Buffer,
	): Promise<void> {
		const {host} = new URL(origin);
		return new Promise(resolve => {
			const onwards = sendRequest(
				origin + request.url,
				{method: request.method, headers: {...request.headers, host}, agent: false},
				async answer => {
					try {
						const status = answer.statusCode ?? 502;
						send(response, status, answer.headers, onAnswer(status, await buffer(answer)));
					} catch {
						response.destroy();
					}
					resolve();
				},
			);
			onwards.on('error', () => {
				response.destroy();
				resolve();
			});
			// What breaks on this side breaks on the other: the service must see a body that was cut short.
			request.on('error', () => onwards.destroy());
			request.on('close', () => {
				if (!request.complete) onwards.destroy();
			});
			request.pipe(onwards);
		});
	}

	const passing = new Set<Promise<void>>();

	const server = createServer((request, response) => {
		const passage = pass(request, response).finally(() => passing.delete(passage));
		passing.add(passage);
	});

	async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		proxy.onPassing?.('request');
		response.once('finish', () => proxy.onPassing?.('answer'));
		const {pathname} = new URL(request.url ?? '/', target);
		if (request.method === 'PUT') {
			const put: RecordedPut = {
				blobId: pathname.split('/').at(-1) ?? '',
				headers: request.headers,
				begun: events++,
				confirmed: undefined,
			};
			puts.push(put);
			const exchange: PutExchange = {
				nth: puts.length,
				put,
				request,
				response,
				forward: () =>
					forward(request, response, (status, body) => {
						if (status < 300) put.confirmed = events++;
						return body;
					}),
			};
			await (proxy.onPut ?? (each => each.forward()))(exchange);
			return;
		}
		const isBatch = pathname.endsWith('/prepare-batch');
		await forward(request, response, (_, body) => {
			if (!isBatch) return body;
			const text = body.toString().replaceAll(`"${origin}/`, `"${url}/`);
			const {targets} = JSON.parse(text) as {targets?: {blob_id: string}[]};
			if (targets) batches.push(targets.map(({blob_id}) => blob_id));
			return Buffer.from(text);
		});
	}

	const url = `http://127.0.0.1:${await listenOnOwnPort(server)}`;
	const proxy: RecordingProxy = {
		url,
		puts,
		batches,
		onPut: undefined,
		onPassing: undefined,
		async quiet() {
			while (passing.size > 0) await Promise.all(passing);
		},
		leadTo(other) {
			origin = other;
		},
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return proxy;
}

/** The blobs that were sent again although the service had confirmed them. */
export function sentAgain(puts: readonly RecordedPut[]): string[] {
	return puts
		.filter(later =>
			puts.some(
				({blobId, confirmed}) =>
					blobId === later.blobId && confirmed !== undefined && confirmed < later.begun,
			),
		)
		.map(({blobId}) => blobId);
}
