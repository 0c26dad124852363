import type {Dirent, Stats} from 'node:fs';
import {opendir, stat} from 'node:fs/promises';
import path from 'node:path';
import {ConcurrencyLimit} from '../../concurrency.ts';
import {type DatasetFile, datasetFileLimits} from '../../contract/files.ts';
import {locate} from '../../lerobot/layout.ts';

export type FileTree = {
	readonly files: readonly DatasetFile[];
	/** More files are there than are listed. */
	readonly truncated: boolean;
	/** Links that lead out, and what is neither file nor folder. */
	readonly leftOut: number;
};

type Bounds = Pick<typeof datasetFileLimits, 'files' | 'depth'>;

/** How many files are looked at at once. */
const atOnce = 64;

/**
 * The files below a dataset's root. Links to files inside count as those files; links out of the dataset, links to
 * folders, sockets and the like are counted and never opened. What vanishes meanwhile counts with them.
 *
 * @param root as `realpath` gives it
 */
export async function fileTree(
	root: string,
	bounds: {readonly [Bound in keyof Bounds]: number} = datasetFileLimits,
): Promise<FileTree> {
	const {names, truncated} = await namesBelow(root, bounds);
	const found = await new ConcurrencyLimit(atOnce).map(names, name => regularFile(root, name));
	const files = names.flatMap((name, place): DatasetFile[] => {
		const stats = found[place];
		return stats ? [{path: name, size: stats.size}] : [];
	});
	return {files, truncated, leftOut: names.length - files.length};
}

/** Everything but folders, in the order of the paths, as far as the bounds allow. */
async function namesBelow(
	root: string,
	bounds: {readonly [Bound in keyof Bounds]: number},
): Promise<{names: string[]; truncated: boolean}> {
	const names: string[] = [];
	let truncated = false;
	const folders = [{relative: '', depth: 0}];
	for (let folder = folders.shift(); folder; folder = folders.shift()) {
		for await (const entry of entriesOf(path.join(root, folder.relative))) {
			const relative = path.posix.join(folder.relative, entry.name);
			if (!entry.isDirectory()) {
				if (names.length === bounds.files) return {names: names.sort(), truncated: true};
				names.push(relative);
			} else if (entry.name.startsWith('.')) {
				// Caches and version control are about the dataset, not of it.
			} else if (folder.depth < bounds.depth && folders.length < bounds.files) {
				folders.push({relative, depth: folder.depth + 1});
			} else {
				truncated = true;
			}
		}
	}
	return {names: names.sort(), truncated};
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
	try {
		yield* await opendir(folder);
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTDIR') throw error;
	}
}

/** A file of the dataset; undefined for anything else, and for what leads out. */
export async function regularFile(root: string, relative: string): Promise<Stats | undefined> {
	const located = await locate(root, relative);
	const found = located.found ? await stat(located.path).catch(() => undefined) : undefined;
	return found?.isFile() ? found : undefined;
}
