import type {ServerResponse} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {type Answer, type JsonAnswer, printJson} from './answers.ts';
import type {RecordedRequest} from './calls.ts';

/** One exchange in the hands of a fault. */
export type Exchange = {
	request: RecordedRequest;
	response: ServerResponse;
	/** The how-manieth request of its route this is, from 1. */
	attempt: number;
	/** What the service would have answered. */
	settle(): Promise<Answer>;
	send(answer: Answer): void;
};

/** Answers a request in the service's place, or breaks off, or does nothing for ever. */
export type Fault = (exchange: Exchange) => void | Promise<void>;

/** The true answer, so many milliseconds late. */
export const delay =
	(milliseconds: number): Fault =>
	async ({settle, send}) => {
		await wait(milliseconds, undefined, {ref: false});
		send(await settle());
	};

/** Holds every answer back until `release()` is called; says how many wait. */
export function hold(): {fault: Fault; release: () => void; waiting: () => number} {
	const gate = Promise.withResolvers<void>();
	let waiting = 0;
	return {
		fault: async ({settle, send}) => {
			waiting++;
			await gate.promise;
			waiting--;
			send(await settle());
		},
		release: () => gate.resolve(),
		waiting: () => waiting,
	};
}

/** Never answers. */
export const silence: Fault = () => undefined;

/** Closes the connection before any answer. */
export const reset: Fault = ({response}) => {
	if (response.socket && 'resetAndDestroy' in response.socket) response.socket.resetAndDestroy();
	else response.destroy();
};

/** A page for people, as a proxy or a wrong address gives. */
export const html =
	(status = 200): Fault =>
	({response}) => {
		response.writeHead(status, {'content-type': 'text/html'});
		response.end('<!doctype html><title>Sign in</title><h1>Sign in to the lab network</h1>');
	};

/** A status without a body. */
export const empty =
	(status = 200): Fault =>
	({response}) => {
		response.writeHead(status);
		response.end();
	};

/** The true answer cut in the middle; `whole` says whether the length that was announced is kept. */
export const truncated =
	({whole = false} = {}): Fault =>
	async ({response, settle}) => {
		const text = Buffer.from(printJson(json(await settle()).json));
		const half = text.subarray(0, Math.floor(text.length / 2));
		const announced = whole ? half.length : text.length;
		response.writeHead(200, {'content-type': 'application/json', 'content-length': announced});
		response.write(half, () => (whole ? response.end() : response.destroy()));
	};

/** The true answer with its body changed: wrong types, missing fields, values beyond a bound. */
export const changed =
	(change: (body: unknown) => unknown): Fault =>
	async ({settle, send}) => {
		const answer = json(await settle());
		send({...answer, json: change(answer.json)});
	};

/** An error response; `retryAfter` in seconds or as an HTTP date. */
export const refused =
	(
		status: number,
		detail: unknown = 'Service temporarily unavailable',
		retryAfter?: number | string,
	): Fault =>
	({send}) =>
		send({
			status,
			json: {detail},
			...(retryAfter === undefined ? {} : {headers: {'retry-after': String(retryAfter)}}),
		});

/** Sends the caller to the same path and query elsewhere. */
export const redirect =
	(origin: string, status = 307): Fault =>
	({request, response}) => {
		const query = String(new URLSearchParams(request.query));
		response.writeHead(status, {location: `${origin}${request.path}${query && `?${query}`}`});
		response.end();
	};

/** The true answer compressed; `padding` bytes of blanks before it make a small body inflate to a large one. */
export const gzip =
	({padding = 0} = {}): Fault =>
	async ({response, settle}) => {
		const answer = json(await settle());
		const body = gzipSync(Buffer.concat([Buffer.alloc(padding, ' '), Buffer.from(printJson(answer.json))]));
		response.writeHead(answer.status, {
			'content-type': 'application/json',
			'content-encoding': 'gzip',
			'content-length': body.length,
		});
		response.end(body);
	};

/** The first faults in order, one a request, then the true answer. */
export const inOrder =
	(...faults: readonly Fault[]): Fault =>
	async exchange => {
		const fault = faults[exchange.attempt - 1];
		if (fault) await fault(exchange);
		else exchange.send(await exchange.settle());
	};

function json(answer: Answer): JsonAnswer {
	if ('stream' in answer) throw new TypeError('this fault needs an answer with a JSON body, not a stream');
	return answer;
}
