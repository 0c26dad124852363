import {createHash} from 'node:crypto';
import {open} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';

/** A blob and where its content lies. */
export type Blob = {
	readonly blobId: string;
	readonly length: number;
	/** The file's path in the dataset, for sentences and for what is known of it. */
	readonly path: string;
	readonly absolute: string;
	readonly offset: number;
};

/** The content is not what it was when it was hashed. */
export class ContentChangedError extends Error {
	override readonly name = 'ContentChangedError';
}

/**
 * Reads a blob for sending, at the rate that is allowed. What is read is hashed once more, and the last of it is
 * held back when it is another content: a request whose end never comes cannot be taken for complete.
 *
 * @throws {ContentChangedError} where the file holds something else by now, or is gone; a file's other errors.
 */
export async function* readBlob(
	{blobId, absolute, offset, length}: Blob,
	{limit, signal, onBytes}: {limit: RateLimit; signal: AbortSignal; onBytes: (bytes: number) => void},
): AsyncGenerator<Buffer> {
	const hash = createHash('sha256');
	const handle = await open(absolute, 'r').catch((error: NodeJS.ErrnoException) => {
		throw error.code === 'ENOENT' ? new ContentChangedError() : error;
	});
	try {
		for (let done = 0; done < length; ) {
			const wanted = Math.min(limit.chunkBytes, length - done);
			await limit.take(wanted, signal);
			// A buffer of its own: the one before it may not have been written to the connection yet.
			const buffer = Buffer.allocUnsafe(wanted);
			const {bytesRead} = await handle.read(buffer, 0, wanted, offset + done);
			if (bytesRead === 0) throw new ContentChangedError();
			const bytes = buffer.subarray(0, bytesRead);
			hash.update(bytes);
			done += bytesRead;
			if (done === length && hash.digest('hex') !== blobId) throw new ContentChangedError();
			yield bytes;
			onBytes(bytesRead);
		}
	} finally {
		await handle.close();
	}
}

const units: Readonly<Record<string, number>> = {'': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3};

/** A rate as curl writes it, `10M` or `1.5G`, in bytes a second; undefined for anything else. */
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
