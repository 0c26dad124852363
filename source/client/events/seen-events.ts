import {hash} from 'node:crypto';
import type {ServerEvent} from './event-stream.ts';

/** How many events are remembered: more than a service repeats to somebody who comes back. */
const remembered = 10_000;

/**
 * Tells events that came before from new ones. A service that gives an id again with other content, as one that began
 * to count anew does, says something new; an event without an id always does.
 */
export class SeenEvents {
	readonly #seen = new Set<string>();

	/** Whether this event is new; it is not, from then on. */
	take({id, name, data}: Pick<ServerEvent, 'id' | 'name' | 'data'>): boolean {
		if (id === undefined) return true;
		const mark = hash('sha1', JSON.stringify([id, name, data]), 'base64');
		if (this.#seen.has(mark)) return false;
		this.#seen.add(mark);
		if (this.#seen.size > remembered) {
			const [oldest] = this.#seen;
			if (oldest !== undefined) this.#seen.delete(oldest);
		}
		return true;
	}
}
