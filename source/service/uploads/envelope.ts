import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {open} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import {uploadLimits} from '../../contract/limits.ts';

/** The content that an envelope is opened to, at most: the largest blob. What is larger stays closed. */
const mostContent = uploadLimits.contentLength.max;

class TooLargeError extends Error {}

/** The format of a file by its first bytes. */
async function kindOf(file: string): Promise<'gzip' | 'zstd' | undefined> {
	const handle = await open(file, 'r');
	try {
		const start = Buffer.alloc(4);
		await handle.read(start, 0, 4, 0);
		if (start.readUInt16BE() === 0x1f8b) return 'gzip';
		return start.readUInt32LE() === 0xfd2fb528 ? 'zstd' : undefined;
	} finally {
		await handle.close();
	}
}

/**
 * Opens an envelope that is gzip or zstd of a content.
 *
 * @param take is given the content piece by piece
 * @returns the whole content's length and hash; undefined for anything else, and for more content than a blob may have
 */
export async function openEnvelope(
	file: string,
	take: (bytes: Uint8Array) => Promise<unknown>,
): Promise<{readonly length: number; readonly sha256: string} | undefined> {
	const kind = await kindOf(file);
	if (kind === undefined) return undefined;
	const {createGunzip, createZstdDecompress} = await import('node:zlib');
	const hash = createHash('sha256');
	let length = 0;
	try {
		await pipeline(
			createReadStream(file),
			kind === 'gzip' ? createGunzip() : createZstdDecompress(),
			async (content: AsyncIterable<Uint8Array>) => {
				for await (const bytes of content) {
					length += bytes.byteLength;
					if (length > mostContent) throw new TooLargeError();
					hash.update(bytes);
					await take(bytes);
				}
			},
		);
	} catch (error) {
		// zlib's own codes begin so, those of the disk do not.
		const isBroken = /^Z/.test(String((error as NodeJS.ErrnoException).code));
		if (isBroken || error instanceof TooLargeError) return undefined;
		throw error;
	}
	return {length, sha256: hash.digest('hex')};
}
