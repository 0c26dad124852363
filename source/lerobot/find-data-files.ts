import {readdir} from 'node:fs/promises';
import path from 'node:path';
import type {EpisodeListing} from './episode-listing.ts';
import {locate, templateFolder, templatePattern} from './layout.ts';

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
): Promise<string[]> {
	const files = new Set<string>();
	for (const {dataFile} of listings) if (dataFile !== undefined) files.add(dataFile);
	const folder = templateFolder(template);
	const located = await locate(root, folder === '.' ? 'data' : folder);
	if (located.found) {
		const pattern = templatePattern(path.posix.normalize(template));
		for (const name of await readdir(located.path, {recursive: true}).catch(() => [])) {
			const file = path.posix.join(folder, ...name.split(path.sep));
			if (pattern.test(file)) files.add(file);
		}
	}
	return [...files].sort();
}
