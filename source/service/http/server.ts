import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type AddressInfo, isIPv6, type Socket} from 'node:net';
import type {Refusal} from '../host/refusal.ts';
import {ServiceStartError, systemReason} from '../host/start-error.ts';
import {Connections} from './connections.ts';
import {HttpProblem, problemOf} from './http-problem.ts';
import {Reply} from './reply.ts';
import {isSignedTarget} from './signed-target.ts';

/** How long a request's body may take to arrive, in milliseconds. */
const usualMs = 30_000;

/** A blob may be sent over a slow line: it has the usual time, and that of its bytes at this rate. */
const slowestBytesPerMs = 32;
const largestBlob = 32 * 1024 * 1024;

/** The longest that any request may take. */
export const longestMs = usualMs + largestBlob / slowestBytesPerMs;

/**
 * Calls when a request's body has not arrived in the time that it has.
 *
 * @param late what ends the request
 */
export function boundBodyTime(request: IncomingMessage, late: () => void): void {
	if (request.method === 'GET' || request.method === 'HEAD') return;
	const length = Number(request.headers['content-length'] ?? largestBlob);
	const more = isSignedTarget(request) ? Math.min(length, largestBlob) / slowestBytesPerMs : 0;
	const timer = setTimeout(() => {
		if (!request.complete) late();
	}, usualMs + more);
	timer.unref();
	request.once('close', () => clearTimeout(timer));
	request.once('end', () => clearTimeout(timer));
}

/** A server that accepts requests. */
export type Listening = {
	readonly url: string;
	/** Accepts no more, lets what runs end within `graceMs`, and then closes every connection. */
	close(graceMs: number): Promise<void>;
};

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
type Admission = (request: IncomingMessage, port: number) => Refusal | undefined;

/**
 * How long a request's headers, and its whole, may take to arrive, and how often that is looked at. Most have less
 * for their whole: see `boundBodyTime`.
 */
const times = {
	headersTimeout: 10_000,
	requestTimeout: longestMs,
	keepAliveTimeout: 30_000,
	connectionsCheckingInterval: 2000,
};

/**
 * A connection that neither takes nor sends anything for this long is destroyed. Streams of events and `presence` are
 * written to more often, and no caller waits longer for an answer.
 */
const stillMs = 120_000;

/** How long a refused connection may still send what it had begun: a reset before it has read the answer would lose that. */
const lingerMs = 500;

const loopback = '127.0.0.1';

/** Whatever body follows is not read. */
function refuse(response: ServerResponse, problem: HttpProblem): void {
	Reply.problem(problem, {connection: 'close'}).send(response);
}

/** A target such as `http://elsewhere/` is meant for a proxy; its host would go before the one that was checked. */
function wholeAddress(target: string | undefined): HttpProblem | undefined {
	if (target?.startsWith('/')) return undefined;
	return new HttpProblem(400, 'The request names more than a path: this service is not a proxy.');
}

const brokenRequests: Record<string, readonly [number, string, string]> = {
	HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', "The request's headers are too large."],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};

const tooLate = Object.assign(new Error('too late'), {code: 'ERR_HTTP_REQUEST_TIMEOUT'});

/**
 * Answers input that is no HTTP request, or came too late, in the shape of every other error. Its connection is
 * destroyed soon after, whether or not its peer closes it too.
 */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
	if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
	const [status, title, detail] = brokenRequests[error.code ?? ''] ?? [
		400,
		'Bad Request',
		'This is not an HTTP request that can be read.',
	];
	const body = JSON.stringify({detail});
	socket.end(
		`HTTP/1.1 ${status} ${title}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
	);
	const timer = setTimeout(() => socket.destroy(), lingerMs);
	socket.once('close', () => clearTimeout(timer));
}

/** Another server, a proxy before this one, might go by the other Host. */
function hostTwice({rawHeaders}: IncomingMessage): HttpProblem | undefined {
	const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
	return hosts.length > 1 ? new HttpProblem(400, 'The request has more than one Host header.') : undefined;
}

type ListeningPlace = {host: string; port: number; descriptor: number | undefined};

function listen(server: Server, {host, port, descriptor}: ListeningPlace): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			const sentence =
				error.code === 'EADDRINUSE'
					? `Port ${port} is in use by another program. Choose another with --port N, or leave it out to have a free one.`
					: error.code === 'EACCES'
						? `Port ${port} may not be used by this user. Choose one above 1023 with --port N.`
						: error.code === 'EADDRNOTAVAIL'
							? `${host} is not an address of this machine. Give one of its own with --listen, or 0.0.0.0 for all.`
							: `Cannot listen on ${host} port ${port}: ${systemReason(error)}.`;
			reject(new ServiceStartError(sentence, {cause: error}));
		});
		server.listen(descriptor === undefined ? {host, port} : {fd: descriptor}, () => {
			// From now on an error is about one connection that could not be had, as where files are used up.
			server.on('error', () => undefined);
			resolve((server.address() as AddressInfo).port);
		});
	});
}

function closeServer(server: Server, graceMs: number): Promise<void> {
	return new Promise(resolve => {
		const timer = setTimeout(() => server.closeAllConnections(), graceMs);
		server.close(() => {
			clearTimeout(timer);
			resolve();
		});
		server.closeIdleConnections();
	});
}

/**
 * Listens with every size and time of a request bounded.
 *
 * @param host an address of this machine @default loopback, which only this machine's programs reach
 * @param port 0 for any that is free
 * @param descriptor a socket of that host which listens already, instead
 * @throws {ServiceStartError} when the port cannot be had
 */
export async function startServer({
	host = loopback,
	port: wanted,
	descriptor,
	admission,
	onRefused,
	keyOf,
	handler,
}: {
	host?: string;
	port: number;
	descriptor?: number | undefined;
	admission: Admission;
	/** Called with the status that a request was refused with before it reached the handler. */
	onRefused?: (request: IncomingMessage, status: number) => void;
	/** Names the key that an admitted request came with. */
	keyOf: (request: IncomingMessage) => string;
	handler: Handler;
}): Promise<Listening> {
	let port = wanted;
	const connections = new Connections();
	const admitted = (request: IncomingMessage) => {
		const refusal = admission(request, port);
		return refusal && problemOf(refusal);
	};
	const server = createServer({maxHeaderSize: 16 * 1024, ...times}, (request, response) => {
		const problem = hostTwice(request) ?? admitted(request) ?? wholeAddress(request.url);
		if (problem) {
			onRefused?.(request, problem.status);
			refuse(response, problem);
		} else {
			// A signature is checked by whose route it is.
			if (!isSignedTarget(request)) connections.showKey(request.socket, keyOf(request));
			boundBodyTime(request, () => {
				if (response.headersSent) request.destroy();
				else refuseBroken(tooLate, request.socket);
			});
			void handler(request, response);
		}
	});
	server.setTimeout(stillMs);
	server.on('connection', socket => connections.add(socket));
	server.on('clientError', (error, socket) => refuseBroken(error, socket as Socket));
	port = await listen(server, {host, port: wanted, descriptor});
	return {
		url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
		close: graceMs => closeServer(server, graceMs),
	};
}
