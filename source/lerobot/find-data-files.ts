import {readdir, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import type {ReportProblem} from './dataset-error.ts';
import type {EpisodeListing} from './episode-listing.ts';
import {isInside, locate, templateFolder, templateMatcher} from './layout.ts';

/**
 * The data files of a dataset, relative to its root: those that the metadata names and those that lie on the disk
 * as if it did (a recorder that was cut off leaves files that no metadata names yet).
 *
 * @param root the dataset's root as `realpath` gives it.
 */
export async function findDataFiles(
	root: string,
	template: string,
	listings: Iterable<EpisodeListing>,
	report: ReportProblem,
): Promise<string[]> {
	const files = new Set<string>();
	for (const {dataFile} of listings) if (dataFile !== undefined) files.add(dataFile);
	const folder = templateFolder(template);
	const isDataFile = templateMatcher(path.posix.normalize(template));
	const below = await filesBelow(root, folder === '.' ? 'data' : folder);
	for (const file of below.files) if (isDataFile(file)) files.add(file);
	for (const link of below.outward) {
		report({file: link, message: `${link} leads out of the dataset, where nothing is read.`});
	}
	return [...files].sort();
}

type FilesBelow = {
	/** Everything that is no folder, relative to the dataset's root, in the order of the paths. */
	readonly files: readonly string[];
	/** Links to folders outside the dataset, which are not entered. */
	readonly outward: readonly string[];
};

/**
 * Lists what lies below a folder of a dataset. No folder is entered twice, however many links lead to it: a link to
 * a folder that it lies in would otherwise make paths without end. A folder's own path goes before that of a link.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @param folder relative to it; one that is missing, outside or unreadable holds nothing.
 */
export async function filesBelow(root: string, folder: string): Promise<FilesBelow> {
	const located = await locate(root, folder);
	if (!located.found) return {files: [], outward: []};
	const files: string[] = [];
	const outward: string[] = [];
	const entered = new Set<string>();
	const folders = [{real: located.path, relative: path.posix.normalize(folder)}];
	const links: {real: string; relative: string}[] = [];
	for (let next = folders.pop() ?? links.shift(); next; next = folders.pop() ?? links.shift()) {
		if (entered.has(next.real)) continue;
		entered.add(next.real);
		for (const entry of await readdir(next.real, {withFileTypes: true}).catch(() => [])) {
			const relative = path.posix.join(next.relative, entry.name);
			const absolute = path.join(next.real, entry.name);
			if (entry.isDirectory()) {
				folders.push({real: absolute, relative});
				continue;
			}
			const real = entry.isSymbolicLink() ? await linkedFolder(absolute) : undefined;
			if (real === undefined) files.push(relative);
			else if (real === root || isInside(root, real)) links.push({real, relative});
			else outward.push(relative);
		}
	}
	return {files: files.sort(), outward: outward.sort()};
}

/** The real path of the folder that a link leads to; undefined where that is no folder. */
async function linkedFolder(link: string): Promise<string | undefined> {
	try {
		return (await stat(link)).isDirectory() ? await realpath(link) : undefined;
	} catch {
		return undefined;
	}
}
