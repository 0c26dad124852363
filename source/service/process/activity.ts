/** Why a service is needed: a client holds it, a request is being answered, an operation runs. */
export type Reason = 'client' | 'request' | 'operation';

/**
 * Counts what a service is needed for, and calls once, when nothing has needed it for a while.
 * It ends nothing itself.
 */
export class Activity {
	readonly #counts: Record<Reason, number> = {client: 0, request: 0, operation: 0};
	readonly #graceMs: number;
	readonly #onIdle: () => void;
	#timer: NodeJS.Timeout | undefined;
	#stopped = false;

	/** @param graceMs how long nothing must have happened; Infinity for a service that stays */
	constructor({graceMs, onIdle}: {graceMs: number; onIdle: () => void}) {
		this.#graceMs = graceMs;
		this.#onIdle = onIdle;
		this.#arm();
	}

	/** Something needs the service from now on; returns what says that it no longer does. */
	begin(reason: Reason): () => void {
		this.#counts[reason]++;
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
		this.#timer = setTimeout(this.#onIdle, this.#graceMs);
	}
}
