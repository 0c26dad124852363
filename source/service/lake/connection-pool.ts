import type {DuckDBConnection} from '@duckdb/node-api';
import {LakeError} from './lake-error.ts';

/**
 * A fixed number of connections lent one user at a time; whoever comes when all are out waits in line. With a size
 * of one it is a lock.
 */
export class ConnectionPool {
	readonly #idle: DuckDBConnection[];
	readonly #size: number;
	readonly #waiting: Array<(connection: DuckDBConnection) => void> = [];
	#whenIdle: (() => void) | undefined;
	#closed = false;

	constructor(connections: readonly DuckDBConnection[]) {
		this.#idle = [...connections];
		this.#size = connections.length;
	}

	/** Lends a connection to `work` and takes it back when that has ended, however it ends. */
	async use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
		if (this.#closed) throw new LakeError('closed', 'The lake is closed: start the service again.');
		const connection =
			this.#idle.pop() ??
			(await new Promise<DuckDBConnection>(resolve => {
				this.#waiting.push(resolve);
			}));
		try {
			return await work(connection);
		} finally {
			const next = this.#waiting.shift();
			if (next) next(connection);
			else this.#idle.push(connection);
			if (this.#idle.length === this.#size) this.#whenIdle?.();
		}
	}

	/** Takes no more work, waits for what runs or stands in line, and disconnects. */
	async close(): Promise<void> {
		this.#closed = true;
		if (this.#idle.length < this.#size) {
			await new Promise<void>(resolve => {
				this.#whenIdle = resolve;
			});
		}
		for (const connection of this.#idle.splice(0)) connection.closeSync();
	}
}
