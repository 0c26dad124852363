import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {listenOnOwnPort} from './own-port.ts';

/** The fault of one connection; bytes are those of the answers, counted from the connection's first. */
export type ConnectionFault = {
	/** Refuses the connection: it is reset before anything is sent on. */
	readonly refuse?: boolean;
	/** Cuts the connection off when so many bytes were passed on; 0 cuts it once the service begins to answer. */
	readonly cutAfter?: number;
	/** The cut is a reset rather than an end. */
	readonly reset?: boolean;
	/** Passes so many bytes on and then nothing more, without an end: a half-open socket. */
	readonly silentAfter?: number;
	/** Holds everything back for so long. */
	readonly delayMs?: number;
	readonly bytesPerSecond?: number;
	/** Passes bytes on in pieces of at most this size, each a write of its own. */
	readonly pieceBytes?: number;
	/** Changes bytes; `offset` is where they stand in the connection. */
	readonly corrupt?: (bytes: Buffer, offset: number) => Buffer;
};

/** Decides on a connection; the `nth` from 1. */
export type FaultPlan = (nth: number) => ConnectionFault;

export type FaultProxy = {
	/** The address to call instead of the service's. */
	readonly url: string;
	/** How many connections there were. */
	readonly connections: number;
	/** Sets the fault of connections from now on. */
	setFault(plan: FaultPlan | ConnectionFault): void;
	/** Cuts every connection off that is open. */
	cutAll(): void;
	close(): Promise<void>;
};

/** How large the pieces are that a fault passes on, each followed by a wait. */
function piecesOf({pieceBytes, bytesPerSecond}: ConnectionFault): {size: number; waitMs: number} {
	if (bytesPerSecond === undefined) return {size: pieceBytes ?? Number.POSITIVE_INFINITY, waitMs: 0};
	const size = pieceBytes ?? Math.max(1, Math.floor(bytesPerSecond / 20));
	return {size, waitMs: (size / bytesPerSecond) * 1000};
}

/** Passes the answers of one connection on, as its fault has it, to their end or the cut. */
async function passOn(from: Socket, to: Socket, fault: ConnectionFault, signal: AbortSignal): Promise<void> {
	const {delayMs = 0, cutAfter = Number.POSITIVE_INFINITY, silentAfter = Number.POSITIVE_INFINITY} = fault;
	const {size, waitMs} = piecesOf(fault);
	const sleep = (ms: number) => (ms > 0 ? wait(ms, undefined, {signal}) : undefined);
	let passed = 0;
	let seen = 0;
	for await (const chunk of from as AsyncIterable<Buffer>) {
		await sleep(delayMs);
		const bytes = fault.corrupt ? fault.corrupt(Buffer.from(chunk), seen) : chunk;
		seen += chunk.length;
		const rest = bytes.subarray(0, Math.max(0, Math.min(cutAfter, silentAfter) - passed));
		for (let at = 0; at < rest.length; at += size) {
			to.write(rest.subarray(at, at + size));
			await sleep(waitMs);
		}
		passed += rest.length;
		if (passed >= cutAfter) {
			if (fault.reset) to.resetAndDestroy();
			return;
		}
	}
	if (passed >= silentAfter && !to.closed) await once(to, 'close');
}

/**
 * A proxy of TCP connections to one service of this machine, on a port of its own, which cuts, delays, throttles,
 * silences and corrupts its answers. Requests pass as they are, but for the Host that they name.
 */
export async function startFaultProxy(
	target: string,
	initial: FaultPlan | ConnectionFault = {},
): Promise<FaultProxy> {
	const {port: targetPort} = new URL(target);
	const sockets = new Set<Socket>();
	let plan: FaultPlan;
	let connections = 0;
	const setFault: FaultProxy['setFault'] = next => {
		plan = typeof next === 'function' ? next : () => next;
	};
	setFault(initial);
	const server = createServer({noDelay: true}, socket => {
		const fault = plan(++connections);
		sockets.add(socket);
		socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
		if (fault.refuse) {
			socket.resetAndDestroy();
			return;
		}
		const onwards = connect({port: Number(targetPort), host: '127.0.0.1', noDelay: true});
		const over = new AbortController();
		socket.on('close', () => {
			over.abort();
			onwards.destroy();
		});
		socket.on('data', chunk => {
			const own = `127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;
			onwards.write(
				Buffer.from(chunk.toString('latin1').replaceAll(own, `127.0.0.1:${targetPort}`), 'latin1'),
			);
		});
		passOn(onwards, socket, fault, over.signal)
			// One side closed; the other is closed below.
			.catch(() => undefined)
			.finally(() => {
				onwards.destroy();
				// What was passed on arrives before the end does.
				socket.destroySoon();
			});
	});
	const port = await listenOnOwnPort(server);
	const cutAll = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		url: `http://127.0.0.1:${port}`,
		get connections() {
			return connections;
		},
		setFault,
		cutAll,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				cutAll();
			}),
	};
}
