import {createServer, type IncomingMessage, type ServerResponse, request as sendRequest} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {listenOnOwnPort} from '../../support/own-port.ts';
import {garbled, garbledEvents, type WireBody} from './garble.ts';

export type GarblingProxy = {
	readonly url: string;
	/** Answers that were garbled so far, by method and path without ids. */
	readonly garbled: ReadonlyMap<string, number>;
	/** Whether answers are garbled from now on, and how many of a hundred. */
	garble(percent: number): void;
	/** Cuts the streams of events that are open. */
	cutStreams(): void;
};

const withoutIds = (url: string) =>
	(url.split('?')[0] ?? '').replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}');

/** Stands before a service of this machine until the test ends, and answers otherwise than it does. */
export async function startGarblingProxy(target: string, random: () => number): Promise<GarblingProxy> {
	const counts = new Map<string, number>();
	const streams = new Set<ServerResponse>();
	let percent = 0;

	function ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
		const {method, url, headers} = incoming;
		const {host, 'transfer-encoding': _, ...kept} = headers;
		const given = {method, headers: {...kept, 'content-length': body.length}, agent: false} as const;
		return new Promise((resolve, reject) => {
			sendRequest(target + url, given, resolve)
				.on('error', reject)
				.end(body);
		});
	}

	function send(response: ServerResponse, {status, headers, body, breaks = false}: WireBody): void {
		const length = body.length + (breaks ? 10 : 0);
		response.writeHead(status, {...headers, ...(status === 204 ? {} : {'content-length': length})});
		if (breaks) response.write(body, () => response.destroy());
		else response.end(status === 204 ? undefined : body);
	}

	async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const answer = await ask(incoming, await buffer(incoming));
		const isGarbled = random() * 100 < percent;
		if (isGarbled) {
			const name = `${incoming.method} ${withoutIds(incoming.url ?? '')}`;
			counts.set(name, (counts.get(name) ?? 0) + 1);
		}
		const type = answer.headers['content-type'] ?? '';
		if (type === 'text/event-stream') {
			response.writeHead(200, {'content-type': type});
			response.flushHeaders();
			if (isGarbled) {
				answer.destroy();
				for (let count = 0; count < 20; count++) response.write(garbledEvents(random));
				response.end();
			} else {
				streams.add(response);
				response.on('close', () => {
					streams.delete(response);
					answer.destroy();
				});
				answer.pipe(response);
			}
			return;
		}
		const truth = {
			status: answer.statusCode ?? 500,
			headers: {'content-type': type},
			body: await buffer(answer),
		};
		send(response, isGarbled ? garbled(truth, random) : truth);
	}

	const server = createServer((incoming, response) => {
		pass(incoming, response).catch(() => response.destroy());
	});
	const port = await listenOnOwnPort(server);
	onTestFinished(
		() =>
			new Promise<void>(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	);
	return {
		url: `http://127.0.0.1:${port}`,
		garbled: counts,
		garble: next => {
			percent = next;
		},
		cutStreams: () => {
			for (const response of streams) response.destroy();
		},
	};
}
