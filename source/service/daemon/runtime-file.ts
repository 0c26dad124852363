import {createHash, randomBytes} from 'node:crypto';
import {lstat, open, readFile, rename, rm, stat} from 'node:fs/promises';
import {hostname, tmpdir, userInfo} from 'node:os';
import path from 'node:path';
import {makeFolder} from '../../files/document.ts';
import {ServiceStartError, systemReason} from '../host/start-error.ts';

/** How a running service is found and spoken to: the content of its 0600 runtime file. */
export type RuntimeRecord = {
	readonly url: string;
	readonly key: string;
	readonly pid: number;
	readonly version: string;
	/** The lake folder's real path. */
	readonly lake: string;
	/** True if the lake is open as the sample. */
	readonly sample: boolean;
	/** Why the lake can only be read; undefined where it can be written. */
	readonly readOnly?: string | undefined;
};

/**
 * Where a lake's service says, within the lake folder, which runtime file is its own: a client with another
 * XDG_RUNTIME_DIR (a cron job, a shell under sudo) finds it all the same. It holds no key.
 */
type RuntimePointer = {readonly runtime_file: string; readonly pid: number; readonly host: string};

const pointerName = 'service.json';

/** The runtime file of the lake with this real path, in this environment's runtime folder. */
export async function runtimeFileOf(lake: string): Promise<string> {
	const name = createHash('sha256').update(lake).digest('hex').slice(0, 32);
	return path.join(await runtimeFolder(), `${name}.json`);
}

async function writePrivately(file: string, value: unknown): Promise<void> {
	const fresh = `${file}.${randomBytes(6).toString('hex')}`;
	const handle = await open(fresh, 'wx', 0o600);
	try {
		await handle.writeFile(`${JSON.stringify(value, undefined, '\t')}\n`);
	} finally {
		await handle.close();
	}
	await rename(fresh, file);
}

/** Makes a running service known; returns what makes it unknown again. */
export async function announce(record: RuntimeRecord): Promise<() => Promise<void>> {
	const file = await runtimeFileOf(record.lake);
	const pointer = path.join(record.lake, pointerName);
	const where: RuntimePointer = {runtime_file: file, pid: record.pid, host: hostname()};
	// A lake that cannot be written has no word of its service: the runtime file alone leads there.
	const isWritable = record.readOnly === undefined;
	await Promise.all([writePrivately(file, record), isWritable && writePrivately(pointer, where)]);
	return async () => {
		// A lake that was removed meanwhile and made anew has another service, which says so in the same places.
		if ((await readRecord(file, record.lake))?.pid === record.pid) await rm(file, {force: true});
		if (isWritable && (await readPointer(record.lake))?.pid === record.pid) await rm(pointer, {force: true});
	};
}

async function readJson(file: string): Promise<Record<string, unknown> | undefined> {
	try {
		const value: unknown = JSON.parse(await readFile(file, 'utf8'));
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

/** A file that another user could have written says nothing. */
async function isPrivate(file: string): Promise<boolean> {
	return stat(file).then(
		found => found.isFile() && found.uid === userInfo().uid && (found.mode & 0o077) === 0,
		() => false,
	);
}

async function readRecord(file: string, lake: string): Promise<RuntimeRecord | undefined> {
	if (!(await isPrivate(file))) return undefined;
	const found = await readJson(file);
	if (found?.lake !== lake) return undefined;
	const {url, key, pid, version, sample, readOnly} = found;
	if (typeof url !== 'string' || !/^http:\/\/127\.0\.0\.1:\d+$/.test(url)) return undefined;
	if (typeof key !== 'string' || typeof pid !== 'number' || typeof version !== 'string') return undefined;
	return {
		url,
		key,
		pid,
		version,
		lake,
		sample: sample === true,
		readOnly: typeof readOnly === 'string' ? readOnly : undefined,
	};
}

/** Where the lake's own folder says its service's runtime file is, if a service left that word. */
export async function readPointer(lake: string): Promise<RuntimePointer | undefined> {
	const found = await readJson(path.join(lake, pointerName));
	const {runtime_file, pid, host} = found ?? {};
	if (typeof runtime_file !== 'string' || typeof pid !== 'number' || typeof host !== 'string')
		return undefined;
	return {runtime_file, pid, host};
}

/**
 * The record that the service of this lake left, alive or not. What the lake's folder knows nothing of is passed over:
 * the folder was removed and made anew, and that service goes on with files that have no name any more.
 *
 * @param lake a real path
 * @param options.isHeld another process has the lock of this very folder: a word that is missing there means nothing.
 */
export async function readRuntimeRecord(
	lake: string,
	{isHeld = false}: {readonly isHeld?: boolean} = {},
): Promise<RuntimeRecord | undefined> {
	const [own, pointer] = await Promise.all([
		runtimeFileOf(lake).then(file => readRecord(file, lake)),
		readPointer(lake),
	]);
	if (own && (isHeld || pointer?.pid === own.pid || own.readOnly !== undefined)) return own;
	return pointer?.host === hostname() ? readRecord(pointer.runtime_file, lake) : undefined;
}

async function isOwnFolder(folder: string): Promise<boolean> {
	return stat(folder).then(
		found => found.isDirectory() && found.uid === userInfo().uid,
		() => false,
	);
}

/** Refuses a folder in which another user could plant or read a key. */
async function requirePrivate(folder: string): Promise<void> {
	const found = await lstat(folder);
	const wrong = !found.isDirectory()
		? 'it is not a folder'
		: found.uid !== userInfo().uid
			? 'it belongs to another user'
			: (found.mode & 0o077) !== 0
				? 'others may enter it (its mode should be 0700)'
				: undefined;
	if (wrong) {
		throw new ServiceStartError(
			`Cannot keep the service's key in ${folder}: ${wrong}. Remove that folder, or set XDG_RUNTIME_DIR to one of your own.`,
		);
	}
}

/**
 * The folder of the runtime files: `$XDG_RUNTIME_DIR/lakescope`, or `lakescope-UID` in the folder for temporary
 * files where that variable names no folder of this user. Made with mode 0700 when it is not there.
 */
export async function runtimeFolder(env: NodeJS.ProcessEnv = process.env): Promise<string> {
	const xdg = env.XDG_RUNTIME_DIR;
	const usable = xdg !== undefined && path.isAbsolute(xdg) && (await isOwnFolder(xdg));
	const folder = usable ? path.join(xdg, 'lakescope') : path.join(tmpdir(), `lakescope-${userInfo().uid}`);
	try {
		await makeFolder(folder);
	} catch (error) {
		throw new ServiceStartError(
			`Cannot make ${folder}, where the service's address and key are kept: ${systemReason(error)}. Set XDG_RUNTIME_DIR to a folder of your own.`,
			{cause: error},
		);
	}
	await requirePrivate(folder);
	return folder;
}
