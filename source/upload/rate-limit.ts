import {setTimeout as sleep} from 'node:timers/promises';

const units: Readonly<Record<string, number>> = {'': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3};

/** A rate as curl writes it, `10M` or `1.5G`, in bytes a second; undefined for what is none. */
export function readRate(text: string): number | undefined {
	const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text.trim()) ?? [];
	const rate = Number(number) * (units[unit.toUpperCase()] ?? Number.NaN);
	return rate >= 1 ? rate : undefined;
}

/** Shares a number of bytes a second between all that ask for some. */
export class RateLimit {
	readonly #bytesPerSecond: number;
	/** When what was given so far has been used up, on the clock of `performance.now()`. */
	#spentAt = 0;

	/** @param bytesPerSecond Infinity for no limit. */
	constructor(bytesPerSecond: number) {
		this.#bytesPerSecond = bytesPerSecond;
	}

	/** How many are asked for at once, so that a low rate flows instead of jerking. */
	get chunkBytes(): number {
		return Math.max(1024, Math.min(256 * 1024, Math.floor(this.#bytesPerSecond / 8)));
	}

	/** Waits until so many bytes may be sent. */
	async take(bytes: number, signal: AbortSignal): Promise<void> {
		if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return;
		const now = performance.now();
		const from = Math.max(now, this.#spentAt);
		this.#spentAt = from + (bytes / this.#bytesPerSecond) * 1000;
		if (this.#spentAt - now < 2) return;
		await sleep(this.#spentAt - now, undefined, {signal}).catch(() => signal.throwIfAborted());
	}
}
