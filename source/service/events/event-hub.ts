import {exactJson} from '../../contract/json-text.ts';
import type {Announce} from '../host/announce.ts';
import type {Log} from '../host/log.ts';
import type {EventStore, StoredEvent, WrittenEvent} from './event-store.ts';

/** A reader that is notified of new events. */
type Listener = () => void;

/** How long announcements are gathered, so that a burst of them costs the disk one write. */
const gatherMs = 10;

/** How long it takes until a write that failed is tried again. */
const againMs = 1000;

/** How many announcements wait for a disk that cannot be written; the oldest of more are lost, and that is said. */
const maxPending = 1000;

/** How many of the newest events are kept at hand for readers that follow closely. */
const maxRecent = 512;

/**
 * Takes announcements, writes them down, and tells the readers. Readers ask for what follows their last event: the hub
 * holds nothing for any of them, however slow they are.
 */
export class EventHub {
	readonly #store: EventStore;
	readonly #log: Log;
	readonly #listeners = new Set<Listener>();
	#pending: WrittenEvent[] = [];
	#lost = false;
	#failing = false;
	#recent: StoredEvent[] = [];
	#timer: NodeJS.Timeout | undefined;

	constructor({store, log}: {store: EventStore; log: Log}) {
		this.#store = store;
		this.#log = log;
	}

	readonly announce: Announce = ({name, data}) => {
		this.#pending.push({name, data: exactJson(data)});
		if (this.#pending.length > maxPending && !this.#failing) this.flush();
		if (this.#pending.length > maxPending) {
			this.#pending.shift();
			this.#lost = true;
		}
		this.#timer ??= setTimeout(() => this.flush(), gatherMs);
	};

	/** Writes down what was announced, now. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending.length === 0) return;
		const gap: WrittenEvent[] = this.#lost ? [{name: 'gap', data: '{"after":null}'}] : [];
		try {
			const stored = this.#store.append([...gap, ...this.#pending]);
			this.#pending = [];
			this.#lost = false;
			this.#failing = false;
			this.#recent = [...this.#recent, ...stored].slice(-maxRecent);
		} catch (error) {
			this.#failing = true;
			this.#log(`events cannot be written: ${error instanceof Error ? error.message : String(error)}`);
			this.#timer = setTimeout(() => this.flush(), againMs).unref();
			return;
		}
		for (const listener of this.#listeners) {
			try {
				listener();
			} catch (error) {
				// A reader that lags is read for from the disk; it asks again with the next event.
				this.#log(`events cannot be read: ${error instanceof Error ? error.message : String(error)}`);
			}
		}
	}

	/** Writes down what was announced, and nothing after it. */
	close(): void {
		this.flush();
		clearTimeout(this.#timer);
	}

	/** The newest event's id. */
	newest(): number {
		return this.#recent.at(-1)?.id ?? this.#store.newest();
	}

	/** True if all later events can still be read. */
	reaches(id: number): boolean {
		return id <= this.newest() && id >= this.#store.reach();
	}

	/** Up to `limit` events after an id, oldest first. */
	after(id: number, limit: number): readonly StoredEvent[] {
		const oldest = this.#recent[0]?.id;
		if (oldest === undefined || id < oldest - 1) return this.#store.after(id, limit);
		return this.#recent.slice(id - oldest + 1, id - oldest + 1 + limit);
	}

	/** How many listen. */
	get listeners(): number {
		return this.#listeners.size;
	}

	/** @returns what ends it */
	listen(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
