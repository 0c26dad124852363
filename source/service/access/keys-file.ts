import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {userInfo} from 'node:os';
import * as z from 'zod';
import {sha256Hex, uuid} from '../../contract/scalars.ts';
import {ServiceStartError, systemReason} from '../host/start-error.ts';

/** The rights of a key: read, read and mark episodes, or all. */
const roles = ['read', 'review', 'full'] as const;
export type Role = (typeof roles)[number];

/** One that may call from other machines. */
const accessKey = z.strictObject({
	/** The caller's name in the log. */
	name: z.string().min(1).max(255),
	/**
	 * The sha256 of the key's bytes. A slow hash would defend a key that could be guessed; a key is 32 random bytes,
	 * and is compared on every request.
	 */
	sha256: sha256Hex,
	/** The accounts that it acts on. */
	accounts: z.array(uuid).min(1).max(1000),
	role: z.enum(roles).default('full'),
});
export type AccessKey = z.output<typeof accessKey>;

const keysFile = z.strictObject({
	keys: z.array(accessKey).min(1).max(10_000),
	/** Names under which callers reach this service, besides its addresses and the machine's own name. */
	hosts: z.array(z.string().min(1).max(253)).max(100).default([]),
});
export type KeysFile = z.output<typeof keysFile>;

const largestFile = 16 * 1024 * 1024;

const wayOut =
	'It holds {"keys": [{"name": "…", "sha256": "…", "accounts": ["…"], "role": "full"}]}, the role being read, review or full, and the sha256 that of a random key: openssl rand -hex 32 | tee key | tr -d "\\n" | sha256sum';

function refusal(file: string, reason: string): ServiceStartError {
	return new ServiceStartError(`The keys file ${file} cannot be used: ${reason}.`);
}

async function readPrivately(file: string): Promise<string> {
	// Opening a named pipe without a writer would block.
	const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
		(error: NodeJS.ErrnoException) => {
			const reason = error.code === 'ENOENT' ? `there is no such file. ${wayOut}` : systemReason(error);
			throw refusal(file, reason);
		},
	);
	try {
		const found = await handle.stat();
		if (!found.isFile()) throw refusal(file, 'it is no file');
		if (found.uid !== userInfo().uid) throw refusal(file, 'it belongs to another user');
		if ((found.mode & 0o077) !== 0) throw refusal(file, `others may read it. Run: chmod 600 ${file}`);
		if (found.size > largestFile) throw refusal(file, `it is larger than ${largestFile} bytes`);
		return await handle.readFile('utf8');
	} finally {
		await handle.close();
	}
}

/**
 * Reads who may call from other machines.
 *
 * @throws {ServiceStartError} when the file is not there, others may read it, or it holds something else
 */
export async function readKeysFile(file: string): Promise<KeysFile> {
	const text = await readPrivately(file);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw refusal(file, `it is not JSON. ${wayOut}`);
	}
	const read = keysFile.safeParse(value);
	if (!read.success) {
		const [issue] = read.error.issues;
		const where = issue?.path.join('.') || 'the whole file';
		throw refusal(file, `${where}: ${issue?.message ?? 'not readable'}. ${wayOut}`);
	}
	const hashes = read.data.keys.map(({sha256}) => sha256);
	const twice = read.data.keys.find(({sha256}, i) => hashes.indexOf(sha256) !== i);
	if (twice) throw refusal(file, `the key of ${JSON.stringify(twice.name)} is there twice`);
	return read.data;
}
