import {readdir, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {findDatasets} from '../files/datasets-on-disk.ts';
import {fileProblem, systemCode} from '../files/file-problem.ts';
import {UsageError} from './print/failure.ts';

export async function isFolder(file: string): Promise<boolean> {
	return stat(file).then(
		found => found.isDirectory(),
		() => false,
	);
}

type FoundDatasets = {
	/** Absolute, each once. */
	readonly folders: readonly string[];
	/** The given folders that hold no dataset. */
	readonly without: readonly string[];
};

/** The sentence for a folder without a dataset. */
export function noDatasetIn(dir: string): string {
	return `${dir} holds no LeRobot dataset: there is no meta/info.json in it, nor in NAME or ORG/NAME below it.`;
}

async function notAFolder(dir: string): Promise<string> {
	const isThere = await stat(path.resolve(dir)).then(
		() => true,
		() => false,
	);
	if (!isThere) return `There is no folder ${dir}.`;
	return `${dir} is a file, not a folder: give the root of a dataset, or a folder of datasets.`;
}

/** A folder that cannot be entered is reported as such. */
async function requireReadable(dir: string): Promise<void> {
	try {
		await readdir(path.resolve(dir));
		await stat(path.resolve(dir, 'meta', 'info.json'));
	} catch (error) {
		const code = systemCode(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return;
		throw new UsageError(`The folder ${dir} cannot be read: ${fileProblem(error)}.`);
	}
}

/**
 * The datasets at or below folders, as a person named them.
 *
 * @throws {UsageError} for a folder that is not there, or cannot be read.
 */
export async function datasetsAt(dirs: readonly string[]): Promise<FoundDatasets> {
	const folders = new Set<string>();
	const without: string[] = [];
	for (const dir of dirs) {
		const absolute = path.resolve(dir);
		if (!(await isFolder(absolute))) throw new UsageError(await notAFolder(dir));
		await requireReadable(dir);
		const found = await findDatasets(absolute);
		for (const folder of found) folders.add(await realpath(folder));
		if (found.length === 0) without.push(dir);
	}
	return {folders: [...folders], without};
}
