import type {Socket} from 'node:net';

/** How many connections a listener keeps of strangers: those on which no valid key has arrived yet. */
export const strangerSlots = 512;

/** How many connections one key may hold; further ones stay among the strangers'. */
const slotsPerKey = 512;

/** Which listener a connection belongs to. */
const listeners = new WeakMap<Socket, Connections>();

/**
 * The connections of one listener. A connection is a stranger's until a valid key arrives on it. Strangers share a
 * fixed number of slots and lose their oldest connection to a new one, so that they cannot lock out a caller with a key:
 * that one's connection needs a slot only until its first request is read.
 */
export class Connections {
	/** Oldest first. */
	readonly #strangers = new Set<Socket>();
	readonly #held = new Map<string, number>();
	#isTrimming = false;

	add(socket: Socket): void {
		listeners.set(socket, this);
		this.#strangers.add(socket);
		socket.once('close', () => this.#strangers.delete(socket));
		if (this.#strangers.size <= strangerSlots || this.#isTrimming) return;
		this.#isTrimming = true;
		// Data that waits in the kernel is read in the turn after the one that accepts its connection. A burst is accepted
		// whole, and a request with a key in it is read before the oldest connections are dropped.
		setImmediate(() => setImmediate(() => this.#trim()));
	}

	/** A valid key arrived on a connection. */
	showKey(socket: Socket, key: string): void {
		const held = this.#held.get(key) ?? 0;
		if (socket.destroyed || held >= slotsPerKey || !this.#strangers.delete(socket)) return;
		this.#held.set(key, held + 1);
		socket.once('close', () => {
			const left = (this.#held.get(key) ?? 1) - 1;
			if (left === 0) this.#held.delete(key);
			else this.#held.set(key, left);
		});
	}

	#trim(): void {
		this.#isTrimming = false;
		for (const oldest of this.#strangers) {
			if (this.#strangers.size <= strangerSlots) return;
			this.#strangers.delete(oldest);
			oldest.destroy();
		}
	}
}

/** Notes a valid key, or what is as good as one, on the connection that it arrived on. */
export function noteKey(socket: Socket, key: string): void {
	listeners.get(socket)?.showKey(socket, key);
}
