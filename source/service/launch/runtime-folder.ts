import {lstat, stat} from 'node:fs/promises';
import {tmpdir, userInfo} from 'node:os';
import path from 'node:path';
import {makeFolder} from '../../files/make-folder.ts';
import {ServiceStartError, systemReason} from '../start-error.ts';

async function isOwnFolder(folder: string): Promise<boolean> {
	return stat(folder).then(
		found => found.isDirectory() && found.uid === userInfo().uid,
		() => false,
	);
}

/** Refuses a folder in which somebody else could plant or read a key. */
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
