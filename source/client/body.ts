import {pipeline, type Readable, type Transform} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';

/** The codings that {@link readBody} undoes, as an Accept-Encoding header. */
export const acceptedEncodings = 'gzip, deflate, br';

/** A body that was not read to its end: it is too large, or coded in a way that was not asked for. */
export class UnreadableBodyError extends Error {
	override readonly name = 'UnreadableBodyError';
	readonly expected: string;
	readonly found: string;

	constructor(expected: string, found: string) {
		super(`expected ${expected}, found ${found}`);
		this.expected = expected;
		this.found = found;
	}
}

/** How a sentence names a coding; what is no name of one is not repeated. */
export function codingNamed(encoding: string): string {
	const name = encoding.trim();
	return /^[\w.+-]{1,20}$/.test(name) ? `the coding ${name}` : 'a coding without a proper name';
}

function decoderOf(encoding: string): Transform | undefined {
	switch (encoding.trim().toLowerCase()) {
		case '':
		case 'identity':
			return undefined;
		case 'gzip':
		case 'x-gzip':
			return createGunzip();
		case 'deflate':
			return createInflate();
		case 'br':
			return createBrotliDecompress();
		default:
			throw new UnreadableBodyError(`one of ${acceptedEncodings}`, codingNamed(encoding));
	}
}

type BodyBounds = {
	readonly encoding: string;
	readonly maxBytes: number;
	/** The length that the answer announced. */
	readonly announced?: string | undefined;
	/** Waited for once the body grows beyond {@link smallBodyBytes}; gives what is called when it has been read. */
	readonly turn?: () => Promise<() => void>;
};

/**
 * Reads a body as text, inflated; never holds more than `maxBytes` of it, whatever it inflates to.
 *
 * @throws {UnreadableBodyError} when it is larger or its coding unknown; otherwise whatever the stream fails with.
 */
export async function readBody(
	body: Readable,
	{encoding, maxBytes, announced, turn}: BodyBounds,
): Promise<string> {
	const tooLarge = () => new UnreadableBodyError(`at most ${maxBytes} bytes`, 'more than that');
	let leave: (() => void) | undefined;
	try {
		if (Number(announced) > maxBytes) throw tooLarge();
		const decoder = decoderOf(encoding);
		// A failure of either stream destroys the last one, which the loop then throws.
		const source = decoder ? pipeline(body, decoder, () => undefined) : body;
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of source as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > maxBytes) throw tooLarge();
			if (size > smallBodyBytes) leave ??= await turn?.();
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, size).toString('utf8');
	} finally {
		leave?.();
		body.on('error', () => undefined).destroy();
	}
}

/** Up to here a body is read beside any others, in bytes. */
const smallBodyBytes = 2 * 1024 * 1024;

/**
 * Lets bodies that grow large be read one after the other: many at once, each within its bound, would fill the memory
 * together.
 */
export class LargeBodies {
	#last: Promise<void> = Promise.resolve();

	/**
	 * Waits until no other large body is being read.
	 *
	 * @returns to be called when this one has been
	 * @throws the signal's reason
	 */
	async enter(signal: AbortSignal): Promise<() => void> {
		const {promise, resolve: leave} = Promise.withResolvers<void>();
		const before = this.#last;
		this.#last = before.then(() => promise);
		const aborted = Promise.withResolvers<never>();
		const abort = () => aborted.reject(signal.reason);
		signal.addEventListener('abort', abort, {once: true});
		try {
			signal.throwIfAborted();
			await Promise.race([before, aborted.promise]);
			return leave;
		} catch (error) {
			leave();
			throw error;
		} finally {
			signal.removeEventListener('abort', abort);
		}
	}
}
