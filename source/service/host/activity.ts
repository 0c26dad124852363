/** Why a service is needed: a client holds it, a request is being answered, an operation runs. */
export type Reason = 'client' | 'request' | 'operation';

/**
 * How long a service waits at least for the client that it was started for: that one asks before it holds, and on a busy
 * machine takes its time.
 */
const firstClientMs = 10_000;

/**
 * Counts what a service is needed for, and calls once, when nothing has needed it for a while.
 * It ends nothing itself.
 */
export class Activity {
	readonly #counts: Record<Reason, number> = {client: 0, request: 0, operation: 0};
	readonly #graceMs: number;
	readonly #onIdle: () => void;
	#timer: NodeJS.Timeout | undefined;
	#hadClient = false;
	#stopped = false;

	/** @param graceMs how long nothing must have happened since the last client; Infinity for a service that stays */
	constructor({graceMs, onIdle}: {graceMs: number; onIdle: () => void}) {
		this.#graceMs = graceMs;
		this.#onIdle = onIdle;
		this.#arm();
	}

	/** Something needs the service from now on; returns what says that it no longer does. */
	begin(reason: Reason): () => void {
		this.#counts[reason]++;
		if (reason === 'client') this.#hadClient = true;
		clearTimeout(this.#timer);
		let ended = false;
		return () => {
			if (ended) return;
			ended = true;
			this.#counts[reason]--;
			this.#arm();
		};
	}

	/** How many of one kind there are now. */
	count(reason: Reason): number {
		return this.#counts[reason];
	}

	/** Counts on, but calls no more. */
	stop(): void {
		clearTimeout(this.#timer);
		this.#stopped = true;
	}

	#arm(): void {
		clearTimeout(this.#timer);
		const needed = this.#counts.client + this.#counts.request + this.#counts.operation > 0;
		if (needed || this.#stopped || !Number.isFinite(this.#graceMs)) return;
		const wait = this.#hadClient ? this.#graceMs : Math.max(this.#graceMs, firstClientMs);
		this.#timer = setTimeout(this.#onIdle, wait);
	}
}
