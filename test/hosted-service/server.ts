import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {listenOnOwnPort} from '../support/own-port.ts';
import {type Answer, printJson, Refusal} from './answers.ts';
import type {RecordedRequest} from './calls.ts';
import type {Fault} from './faults.ts';
import {type GeneratorOptions, generateLake} from './generator.ts';
import {type EpisodeSeed, type Lake, lakeOf} from './lake.ts';
import {findRoute, type RouteName} from './routes.ts';
import {ServiceState} from './state.ts';

const largestBody = 64 * 1024 * 1024;

/** A number of generated episodes, options for the generator, or the episodes themselves. */
export type Episodes = number | GeneratorOptions | readonly EpisodeSeed[];

/** A fault a route, `*` for all that have none of their own. */
export type Faults = Partial<Record<RouteName | '*', Fault>>;

export type HostedServiceOptions = {
	/** @default 200 */
	episodes?: Episodes;
	/** @default 'hosted-key' */
	key?: string;
	faults?: Faults;
	/** Whether endpoints that declare the key optional answer without one. @default false */
	anonymous?: boolean;
};

export type HostedService = {
	/** Base address, without a slash at its end. */
	url: string;
	key: string;
	/** The account that the key belongs to. */
	account: string;
	/** Every request so far, in order. */
	requests: readonly RecordedRequest[];
	/** What the service knows: jobs, uploads, sync statuses, listings, the event stream. */
	state: ServiceState;
	setEpisodes(episodes: Episodes): void;
	/** Sets or takes away the fault of a route and counts its attempts anew. */
	setFault(route: RouteName | '*', fault?: Fault): void;
	close(): Promise<void>;
};

/**
 * A service written from the interface document alone, on a port of its own on 127.0.0.1. It gives
 * documented fields only and knows nothing of `/local/v1`.
 */
export async function startHostedService(options: HostedServiceOptions = {}): Promise<HostedService> {
	const {episodes = 200, key = 'hosted-key', anonymous = false} = options;
	const state = new ServiceState(lakeFrom(episodes));
	const requests: RecordedRequest[] = [];
	const faults = new Map<string, Fault | undefined>(Object.entries(options.faults ?? {}));
	const attempts = new Map<string, number>();

	async function answer(request: RecordedRequest): Promise<Answer> {
		const {method, path, headers} = request;
		const match = findRoute(method, path);
		try {
			if ('methods' in match) {
				const {methods} = match;
				if (methods.length === 0) throw new Refusal(404, 'Not Found');
				throw new Refusal(405, 'Method Not Allowed', {allow: methods.join(', ')});
			}
			const {route, params} = match;
			const given = headers['x-api-key'];
			const mayLack = route.key === 'none' || (route.key === 'optional' && anonymous);
			if (given === undefined && !mayLack) throw new Refusal(401, 'Missing API key');
			if (given !== undefined && given !== key && route.key !== 'none')
				throw new Refusal(401, 'Invalid API key');
			return await route.handle({...request, params, state, origin: `http://${headers.host}`});
		} catch (error) {
			if (error instanceof Refusal) return error.answer;
			throw error;
		}
	}

	async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await record(incoming);
		requests.push(request);
		const match = findRoute(request.method, request.path);
		const name = 'name' in match ? match.name : '*';
		const attempt = (attempts.get(name) ?? 0) + 1;
		attempts.set(name, attempt);
		const settle = () => answer(request);
		const fault = faults.get(name) ?? faults.get('*');
		if (fault) await fault({request, response, attempt, settle, send: result => send(response, result)});
		else send(response, await settle());
	}

	const server = createServer((incoming, response) => {
		exchange(incoming, response).catch((error: unknown) => {
			if (response.headersSent) response.destroy();
			else send(response, {status: 500, json: {detail: String(error)}});
		});
	});
	const port = await listenOnOwnPort(server);

	return {
		url: `http://127.0.0.1:${port}`,
		key,
		account: state.account,
		requests,
		state,
		setEpisodes: next => state.setLake(lakeFrom(next)),
		setFault(route, fault) {
			faults.set(route, fault);
			if (route === '*') attempts.clear();
			else attempts.delete(route);
		},
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function lakeFrom(episodes: Episodes): Lake {
	if (typeof episodes === 'number') return generateLake({count: episodes});
	return 'count' in episodes ? generateLake(episodes) : lakeOf(episodes);
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming) {
		const bytes = chunk as Buffer;
		size += bytes.length;
		if (size > largestBody) throw new RangeError(`a request body beyond ${largestBody} bytes`);
		chunks.push(bytes);
	}
	const bytes = Buffer.concat(chunks);
	const url = new URL(incoming.url ?? '/', 'http://service');
	return {
		method: incoming.method ?? 'GET',
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: incoming.headers,
		body: bodyOf(bytes),
		bytes,
	};
}

function bodyOf(bytes: Buffer): unknown {
	if (bytes.length === 0) return undefined;
	const text = bytes.toString();
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function send(response: ServerResponse, answer: Answer): void {
	if (response.destroyed) return;
	if ('stream' in answer) {
		answer.stream(response);
		return;
	}
	const body = Buffer.from(printJson(answer.json));
	response.writeHead(answer.status, {
		...answer.headers,
		'content-type': 'application/json',
		'content-length': body.length,
	});
	response.end(body);
}
