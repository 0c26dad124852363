import type {ServerResponse} from 'node:http';
import {afterEach} from 'vitest';
import {type Behaviour, type Heard, startWireServer, type WireServer} from '../../client/wire-server.ts';

const open: WireServer[] = [];

afterEach(async () => {
	for (const each of open.splice(0)) await each.close();
});

/** A server whose answers a test decides on, until the test ends. */
export async function serving(behaviour: Behaviour): Promise<WireServer> {
	const server = await startWireServer(behaviour);
	open.push(server);
	return server;
}

/** Begins an answer that is a stream of events. */
export function openStream(response: ServerResponse): void {
	response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
	response.flushHeaders();
}

/** The Last-Event-ID that a request came with; empty where it had none. */
export const lastIdOf = ({headers}: Heard): string => String(headers['last-event-id'] ?? '');
