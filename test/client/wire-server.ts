import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
	request as sendRequest,
} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {type AddressInfo, connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {certificate, privateKey} from './self-signed.ts';

export type Heard = {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
};

/** Answers one request; `nth` counts from 1. */
export type Behaviour = (response: ServerResponse, heard: Heard, nth: number) => void;

export type WireServer = {
	readonly url: string;
	readonly port: number;
	readonly heard: readonly Heard[];
	close(): Promise<void>;
};

/** A JSON answer, as a well-behaved service gives it. */
export const json =
	(
		value: unknown,
		{status = 200, headers = {}}: {status?: number; headers?: Record<string, string>} = {},
	): Behaviour =>
	response => {
		response.writeHead(status, {'content-type': 'application/json', ...headers});
		response.end(typeof value === 'string' ? value : JSON.stringify(value));
	};

/** One behaviour a request, the last for all that follow. */
export const inTurn =
	(...behaviours: readonly Behaviour[]): Behaviour =>
	(response, heard, nth) =>
		behaviours[Math.min(nth, behaviours.length) - 1]?.(response, heard, nth);

async function listen(server: Server, scheme: string, heard: readonly Heard[]): Promise<WireServer> {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {
		url: `${scheme}://127.0.0.1:${port}`,
		port,
		heard,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** A real HTTP server on a port of its own, over TLS with the self-signed certificate where asked. */
export async function startWireServer(behaviour: Behaviour, {tls = false} = {}): Promise<WireServer> {
	const heard: Heard[] = [];
	const listener: RequestListener = async (request, response) => {
		const body = await text(request);
		const {method = '', url = '', headers} = request;
		const one = {method, url, headers, body};
		heard.push(one);
		behaviour(response, one, heard.length);
	};
	const server = tls
		? createTlsServer({cert: certificate, key: privateKey}, listener)
		: createServer(listener);
	return listen(server, tls ? 'https' : 'http', heard);
}

/** An HTTP proxy that leads every tunnel and every request to one port of this machine. */
export async function startProxy(leadsTo: number, refusal?: number): Promise<WireServer> {
	const heard: Heard[] = [];
	const server = createServer();
	server.on('connect', ({method = '', url = '', headers}: IncomingMessage, socket) => {
		heard.push({method, url, headers, body: ''});
		if (refusal !== undefined) {
			socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
			return;
		}
		const onwards = connect(leadsTo, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			onwards.pipe(socket).pipe(onwards);
		});
		const end = () => {
			onwards.destroy();
			socket.destroy();
		};
		onwards.on('error', end).on('close', end);
		socket.on('error', end).on('close', end);
	});
	server.on('request', (request, response) => {
		const {method = '', url = '', headers} = request;
		heard.push({method, url, headers, body: ''});
		const {pathname, search} = new URL(url);
		const options = {host: '127.0.0.1', port: leadsTo, method, path: pathname + search, headers};
		const onwards = sendRequest(options, answer => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onwards.on('error', () => response.destroy());
		request.pipe(onwards);
	});
	return listen(server, 'http', heard);
}
