import path from 'node:path';
import type {ReportProblem} from './dataset-error.ts';
import type {EpisodeListing} from './episode-listing.ts';
import {filesBelow} from './files-below.ts';
import {templateFolder, templateMatcher} from './layout.ts';

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
