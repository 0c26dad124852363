import {positiveNumber} from '../host/environment.ts';

/** Seconds without a request before a transfer counts as stopped. */
const defaultQuietS = 60;

/** The quiet time in milliseconds; `LAKESCOPE_UPLOAD_QUIET_S` overrides it. */
export function quietMs(env: NodeJS.ProcessEnv = process.env): number {
	return (positiveNumber(env.LAKESCOPE_UPLOAD_QUIET_S) ?? defaultQuietS) * 1000;
}

type TransferOptions = {
	readonly quietMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Says that the service is needed from now on; gives what says that it no longer is. */
	readonly hold: () => () => void;
};

/**
 * Knows which uploads are being sent. The document's calls name no upload; what cannot be told apart counts for every
 * one. While anything is sent, and until it has been quiet for a while, the service is held.
 */
export class Transfers {
	readonly #options: TransferOptions;
	/** PUTs under way, by upload; the empty name stands for any. */
	readonly #running = new Map<string, number>();
	/** When a call last came that named no upload. */
	#lastUnnamed = Number.NEGATIVE_INFINITY;
	#release: (() => void) | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(options: TransferOptions) {
		this.#options = options;
	}

	/** Something was asked for or sent. */
	moved(uploadId: string | undefined): void {
		if (uploadId === undefined) this.#lastUnnamed = this.#options.now();
		this.#release ??= this.#options.hold();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.settled(), this.#options.quietMs).unref();
	}

	/** A PUT begins; returns what says that it has ended. */
	begin(uploadId: string | undefined): () => void {
		const name = uploadId ?? '';
		this.moved(uploadId);
		this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
		return () => {
			const left = (this.#running.get(name) ?? 1) - 1;
			if (left === 0) this.#running.delete(name);
			else this.#running.set(name, left);
			this.moved(uploadId);
		};
	}

	/** True if this upload has had no request for `quietMs`. */
	isQuiet(uploadId: string, updatedMs: number): boolean {
		if (this.#running.has(uploadId) || this.#running.has('')) return false;
		const last = Math.max(updatedMs, this.#lastUnnamed);
		return this.#options.now() - last >= this.#options.quietMs;
	}

	/** Nothing is staging any more, or all has been quiet: the service is let go unless a PUT is under way. */
	settled(): void {
		if (this.#running.size === 0) this.#letGo();
	}

	/** Holds the service no longer. */
	stop(): void {
		this.#letGo();
	}

	#letGo(): void {
		clearTimeout(this.#timer);
		this.#release?.();
		this.#release = undefined;
	}
}
