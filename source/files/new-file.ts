import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {type FileHandle, link, lstat, mkdir, open, rename, rm, unlink} from 'node:fs/promises';
import {fileProblem, systemCode} from './file-problem.ts';
import {shortPath} from './places.ts';

/** The file exists already, and the user has not agreed to replace it. */
export class FileExistsError extends Error {
	override readonly name = 'FileExistsError';
}

/** A file that could not be written whole. Its message is a sentence for people. */
export class FileWriteError extends Error {
	override readonly name = 'FileWriteError';
}

/** A file that is being written. Under its own name it is whole or not there. */
export type NewFile = {
	/** @throws {FileWriteError} */
	write(piece: string | Uint8Array): Promise<void>;
	/**
	 * A folder beside it for files that it is made of; gone as soon as it is finished or abandoned.
	 *
	 * @throws {FileWriteError}
	 */
	scratch(): Promise<string>;
	/**
	 * Gives it its name.
	 *
	 * @throws {FileExistsError} where a file of that name has come meanwhile; or {FileWriteError}.
	 */
	finish(): Promise<void>;
	/** Leaves nothing of it. */
	abandon(): Promise<void>;
	/** The same at once, for a program that is about to end. */
	abandonNow(): void;
};

/**
 * Begins a file beside its final place, so that taking its name is one step.
 *
 * @param options.overwrite take the place of a file that is there. @default false
 * @throws {FileExistsError} where there is one and it must not be overwritten; or {FileWriteError}.
 */
export async function createFile(file: string, {overwrite = false} = {}): Promise<NewFile> {
	const aside = `${file}.${randomBytes(4).toString('hex')}.part`;
	const failed = (error: unknown) =>
		new FileWriteError(`${shortPath(file)} cannot be written: ${fileProblem(error)}.`, {cause: error});
	const exists = () => new FileExistsError(`${shortPath(file)} is there already.`);
	const found = await lstat(file).catch(() => undefined);
	if (found !== undefined && !found.isFile() && !found.isSymbolicLink()) {
		const what = found.isDirectory() ? 'it is a folder' : 'it is not a file';
		throw new FileWriteError(`${shortPath(file)} cannot be written: ${what}. Give another name.`);
	}
	if (!overwrite && found !== undefined) throw exists();
	const handle: FileHandle = await open(aside, 'wx').catch(error => Promise.reject(failed(error)));
	const folder = `${aside}.d`;
	const clear = () => rm(folder, {recursive: true, force: true}).catch(() => undefined);
	const abandon = async () => {
		await handle.close().catch(() => undefined);
		await unlink(aside).catch(() => undefined);
		await clear();
	};
	return {
		abandon,
		abandonNow() {
			rmSync(aside, {force: true});
			rmSync(folder, {recursive: true, force: true});
		},
		async write(piece) {
			try {
				await handle.writeFile(piece);
			} catch (error) {
				throw failed(error);
			}
		},
		async scratch() {
			try {
				await mkdir(folder, {recursive: true, mode: 0o700});
				return folder;
			} catch (error) {
				throw failed(error);
			}
		},
		async finish() {
			try {
				await clear();
				await handle.sync();
				await handle.close();
				if (overwrite) await rename(aside, file);
				else await nameOnce(aside, file);
			} catch (error) {
				await abandon();
				throw systemCode(error) === 'EEXIST' ? exists() : failed(error);
			}
		},
	};
}

/** A name that is taken is not taken over: linking fails there, where renaming would replace. */
async function nameOnce(aside: string, file: string): Promise<void> {
	try {
		await link(aside, file);
		await unlink(aside);
	} catch (error) {
		if (systemCode(error) === 'EEXIST') throw error;
		// A file system without links: the name is taken first, and then filled.
		await (await open(file, 'wx')).close();
		await rename(aside, file);
	}
}
