import {type AddressInfo, createServer} from 'node:net';
import {afterEach} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {type Behaviour, startWireServer, type WireServer} from './wire-server.ts';

type Closing = {close(): Promise<void>};

const open: Closing[] = [];

afterEach(async () => {
	for (const each of open.splice(0).reverse()) await each.close();
});

/** Has these closed when the test ends, the last first. */
export function closing(...each: readonly Closing[]): void {
	open.push(...each);
}

/** A server that behaves so, and a client of it, until the test ends. */
export async function served(
	behaviour: Behaviour,
	options: Partial<ClientOptions>,
): Promise<{client: Client; server: WireServer}> {
	const server = await startWireServer(behaviour);
	const client = createClient({baseUrl: server.url, ...options});
	closing(server, client);
	return {client, server};
}

/** What a call fails with. */
export async function failure(call: Promise<unknown>): Promise<Error> {
	try {
		await call;
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('the call did not fail');
}

/** A port of this machine at which nothing listens. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	await new Promise(resolve => server.close(resolve));
	return port;
}
