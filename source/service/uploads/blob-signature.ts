import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {open, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {Refusal} from '../host/refusal.ts';

const keyName = 'upload-signing.key';
const keyBytes = 32;

/** The right that a signature gives: to send one content of one length, until a time. */
export type BlobGrant = {
	readonly blobId: string;
	readonly length: number;
	/** The hash of the bytes that are sent, where they are an envelope of the content. */
	readonly envelope?: string | undefined;
	/** In whole seconds since 1970. */
	readonly expires: number;
	/** The upload that the blob is for, where it was said. */
	readonly uploadId: string | undefined;
};

/** Reads a key that is whole and this user's alone. */
async function readKey(file: string): Promise<Buffer | undefined> {
	const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'ENOENT') throw error;
	});
	if (!found?.isFile() || (found.mode & 0o077) !== 0) return undefined;
	const handle = await open(file, 'r');
	try {
		const key = await handle.readFile();
		return key.byteLength === keyBytes ? key : undefined;
	} finally {
		await handle.close();
	}
}

async function makeKey(file: string): Promise<Buffer> {
	const key = randomBytes(keyBytes);
	const fresh = `${file}.${randomBytes(6).toString('hex')}`;
	try {
		const handle = await open(fresh, 'wx', 0o600);
		try {
			await handle.writeFile(key);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(fresh, file);
	} catch (error) {
		await rm(fresh, {force: true}).catch(() => undefined);
		throw error;
	}
	return key;
}

/**
 * Signs the addresses of blobs with a key of the lake's own (HMAC-SHA256), which lies in its folder for this user
 * alone and is made when it is first needed. A key that others could read is replaced.
 */
export class BlobSigner {
	readonly #file: string;
	#key: Promise<Buffer> | undefined;

	constructor(lakeFolder: string) {
		this.#file = path.join(lakeFolder, keyName);
	}

	/** The query of a blob's address. */
	async sign(grant: BlobGrant): Promise<URLSearchParams> {
		const {blobId, expires, length, uploadId, envelope} = grant;
		const query = new URLSearchParams({
			expires: String(expires),
			length: String(length),
			...(uploadId !== undefined && {upload: uploadId}),
			...(envelope !== undefined && {envelope}),
		});
		query.set('signature', (await this.#mac(blobId, query)).toString('hex'));
		return query;
	}

	/**
	 * Reads what an address grants.
	 *
	 * @param now in milliseconds since 1970
	 * @throws {Refusal} `forbidden` for a signature that is missing, altered, another lake's or too old
	 */
	async verify(blobId: string, query: URLSearchParams, now: number): Promise<BlobGrant> {
		// As text: hexadecimal digits are read up to the first character that is none.
		const given = Buffer.from(query.get('signature') ?? '');
		const expected = Buffer.from((await this.#mac(blobId, query)).toString('hex'));
		const once =
			['expires', 'length', 'signature'].every(name => query.getAll(name).length === 1) &&
			['upload', 'envelope'].every(name => query.getAll(name).length <= 1);
		if (!once || given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
			throw new Refusal(
				'forbidden',
				`The signature of this address does not fit blob ${blobId}: the address was altered, or another lake gave it. Prepare the blob again.`,
			);
		}
		const expires = Number(query.get('expires'));
		if (now >= expires * 1000) {
			const at = new Date(expires * 1000).toISOString();
			throw new Refusal(
				'forbidden',
				`This address of blob ${blobId} expired at ${at}. Prepare the blob again.`,
			);
		}
		const envelope = query.get('envelope');
		return {
			blobId,
			length: Number(query.get('length')),
			expires,
			uploadId: query.get('upload') ?? undefined,
			...(envelope !== null && {envelope}),
		};
	}

	/** Over the values as they are written, so that no other spelling of one has the same. */
	async #mac(blobId: string, query: URLSearchParams): Promise<Buffer> {
		this.#key ??= this.#loadKey();
		const envelope = query.get('envelope');
		const values = ['length', 'expires', 'upload'].map(name => query.get(name) ?? '');
		const text = (
			envelope === null
				? ['lakescope blob 1', blobId, ...values]
				: ['lakescope blob 2', blobId, envelope, ...values]
		).join('\n');
		return createHmac('sha256', await this.#key)
			.update(text)
			.digest();
	}

	async #loadKey(): Promise<Buffer> {
		try {
			return (await readKey(this.#file)) ?? (await makeKey(this.#file));
		} catch (error) {
			// A disk that was full may have room the next time.
			this.#key = undefined;
			throw error;
		}
	}
}
