import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {access, copyFile, rm, stat, statfs, symlink} from 'node:fs/promises';
import path from 'node:path';
import {makeFolder} from '../../files/document.ts';
import {positiveNumber} from '../host/environment.ts';
import {ServiceStartError, systemReason} from '../host/start-error.ts';
import {lakeFiles} from './lake-engine.ts';
import {runtimeFolder} from './runtime-file.ts';

const mebibyte = 1024 ** 2;

/** With less than this the databases cannot even begin to write. Tests raise it. */
const leastFree = () => positiveNumber(process.env.LAKESCOPE_FULL_BELOW_BYTES) ?? mebibyte;

const databases = [lakeFiles.database, 'operations.db'];

/**
 * Why nothing can be written into a lake that can be read: a read-only file system, missing permissions or a full disk.
 * Undefined where it can, and where there is nothing to read.
 *
 * @param lake its folder's real path
 */
export async function unwritableReason(lake: string): Promise<string | undefined> {
	if (!(await stat(path.join(lake, lakeFiles.database)).catch(() => undefined))) return undefined;
	for (const name of ['.', ...databases, 'service.lock']) {
		try {
			await access(path.join(lake, name), constants.W_OK);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return systemReason(error);
		}
	}
	const disk = await statfs(lake).catch(() => undefined);
	return disk && disk.bavail * disk.bsize < leastFree() ? 'its disk is full' : undefined;
}

/** The sentence on a lake that can only be read. */
export function readOnlySentence(lake: string, reason: string): string {
	return `The lake ${lake} is open read-only: ${reason}. Nothing in it can be changed until this is fixed and lakescope is started again.`;
}

/**
 * The folder in which the service of a read-only lake keeps what it must write while it runs: it is named after the lake,
 * so that there is one a lake, and goes with the service.
 *
 * @throws {ServiceStartError} where that cannot be made either
 */
export async function workFolderOf(lake: string): Promise<string> {
	const name = createHash('sha256').update(lake).digest('hex').slice(0, 32);
	const folder = path.join(await runtimeFolder(), `${name}.read-only`);
	await within(folder, () => makeFolder(folder));
	return folder;
}

/** Lays into the work folder what a service reads beside the episodes: its records, and the logs of its jobs. */
export async function fillWorkFolder(lake: string, work: string): Promise<void> {
	await within(work, async () => {
		for (const suffix of ['', '-wal']) {
			await rm(path.join(work, `operations.db${suffix}`), {force: true});
			await copyFile(
				path.join(lake, `operations.db${suffix}`),
				path.join(work, `operations.db${suffix}`),
			).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== 'ENOENT') throw error;
			});
		}
		await makeFolder(path.join(work, 'staging'));
		await symlink(path.join(lake, 'jobs'), path.join(work, 'jobs')).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EEXIST') throw error;
		});
	});
}

async function within<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw new ServiceStartError(
			`The lake can only be read, and what that needs cannot be kept in ${folder}: ${systemReason(error)}. Set XDG_RUNTIME_DIR to a folder with some room.`,
			{cause: error},
		);
	}
}
