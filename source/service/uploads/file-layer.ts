import {copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes} from 'node:fs/promises';

/** A file that is being written. */
type WritableFile = {
	write(bytes: Uint8Array): Promise<unknown>;
	sync(): Promise<void>;
	close(): Promise<void>;
};

/** The file operations of uploads; tests insert one that fails. */
export type FileLayer = {
	/** Creates a new file, for this user alone, which is written only once. */
	create(file: string): Promise<WritableFile>;
	rename(from: string, to: string): Promise<void>;
	link(from: string, to: string): Promise<void>;
	/** Copies a file; the copy is on the disk when this returns. */
	copy(from: string, to: string): Promise<void>;
	/** Makes a folder and those above it. */
	makeFolder(folder: string): Promise<void>;
	/** Waits until a folder's names are on the disk. */
	syncFolder(folder: string): Promise<void>;
	/** A file's size; undefined where there is no file. */
	sizeOf(file: string): Promise<number | undefined>;
	/** How many names a file has, and when it was last touched, in milliseconds since 1970; undefined where there is none. */
	namesOf(file: string): Promise<{readonly names: number; readonly touchedMs: number} | undefined>;
	/** Says that a file was asked for just now. */
	touch(file: string): Promise<void>;
	/** The names in a folder; none where there is no folder. */
	namesIn(folder: string): Promise<string[]>;
	/** Removes a file or a folder with all in it, if it is there. */
	remove(target: string): Promise<void>;
};

function unlessMissing<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
	return error => {
		if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return otherwise;
		throw error;
	};
}

async function create(file: string): Promise<WritableFile> {
	const handle = await open(file, 'wx', 0o400);
	return {
		write: bytes => handle.writeFile(bytes),
		sync: () => handle.sync(),
		close: () => handle.close(),
	};
}

/** Waits until a file's content, or a folder's names, are on the disk. */
async function sync(target: string): Promise<void> {
	const handle = await open(target, 'r');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** The file system of this machine. */
export const machineFiles: FileLayer = {
	create,
	rename,
	link,
	copy: async (from, to) => {
		await copyFile(from, to);
		await sync(to);
	},
	makeFolder: async folder => void (await mkdir(folder, {recursive: true, mode: 0o700})),
	syncFolder: sync,
	sizeOf: file =>
		stat(file).then(found => (found.isFile() ? found.size : undefined), unlessMissing(undefined)),
	namesOf: file =>
		stat(file).then(
			found => (found.isFile() ? {names: found.nlink, touchedMs: found.mtimeMs} : undefined),
			unlessMissing(undefined),
		),
	touch: async file => {
		const now = new Date();
		await utimes(file, now, now);
	},
	namesIn: folder => readdir(folder).catch(unlessMissing<string[]>([])),
	remove: target => rm(target, {recursive: true, force: true}),
};
