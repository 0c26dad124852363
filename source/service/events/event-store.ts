import type {DatabaseSync} from 'node:sqlite';
import {inTransaction} from '../operations/transaction.ts';

/** The table of the operations file that holds the events of late. Its ids are never given twice. */
export const eventTables = `
	CREATE TABLE IF NOT EXISTS events (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		data TEXT NOT NULL,
		at TEXT NOT NULL
	) STRICT;
`;

/** An event as it is written down; its data is JSON, in one line. */
export type WrittenEvent = {readonly name: string; readonly data: string};

/** An event with its place in the history. */
export type StoredEvent = WrittenEvent & {readonly id: number};

/** The events of late. What these functions write is on the disk when they return. */
export class EventStore {
	readonly #database: DatabaseSync;
	readonly #kept: number;

	/** @param kept how many events the history holds */
	constructor(database: DatabaseSync, kept: number) {
		this.#database = database;
		this.#kept = kept;
	}

	/** Adds events to the history, which loses its oldest for them. */
	append(events: readonly WrittenEvent[]): StoredEvent[] {
		const database = this.#database;
		const insert = database.prepare('INSERT INTO events (name, data, at) VALUES (?, ?, ?) RETURNING id');
		const at = new Date().toISOString();
		return inTransaction(database, () => {
			const stored = events.map(({name, data}) => ({id: Number(insert.get(name, data, at)?.id), name, data}));
			const newest = stored.at(-1)?.id ?? 0;
			database.prepare('DELETE FROM events WHERE id <= ?').run(newest - this.#kept);
			return stored;
		});
	}

	/** Up to `limit` events after an id, oldest first. */
	after(id: number, limit: number): StoredEvent[] {
		return this.#database
			.prepare('SELECT id, name, data FROM events WHERE id > ? ORDER BY id LIMIT ?')
			.all(id, limit)
			.map(row => ({id: Number(row.id), name: String(row.name), data: String(row.data)}));
	}

	/** The newest id that was ever given; 0 before the first. */
	newest(): number {
		const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get();
		return Number(row?.seq ?? 0);
	}

	/** The oldest id that a reader may have seen last and still be given all that followed. */
	reach(): number {
		const oldest = this.#database.prepare('SELECT min(id) AS id FROM events').get()?.id;
		return oldest == null ? this.newest() : Number(oldest) - 1;
	}
}
