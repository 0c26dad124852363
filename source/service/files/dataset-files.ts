import {realpath} from 'node:fs/promises';
import path from 'node:path';
import type {OwnDatasetFiles} from '../../contract/dataset-files-shape.ts';
import type {DatasetFilesQuery} from '../../contract/files.ts';
import {isSarmProgress} from '../../lerobot/sarm-progress.ts';
import {HttpProblem} from '../http/http-problem.ts';
import type {DatasetDetails, Lake} from '../lake/lake.ts';
import {datasetCard} from './dataset-card.ts';
import {type FileTree, fileTree, regularFile} from './file-tree.ts';

const quoted = (text: string) => JSON.stringify(text.slice(0, 200));

async function datasetAt(lake: Pick<Lake, 'details'>, wanted: string): Promise<DatasetDetails> {
	const name = /^local\/([^/]+)$/.exec(wanted)?.[1];
	const found = name === undefined ? undefined : await lake.details(name);
	if (found && found.dataset_name === name) return found;
	throw new HttpProblem(
		404,
		`There is no dataset ${quoted(wanted)} in this lake: its datasets are local/NAME, as the listing gives them.`,
	);
}

/** The dataset's root, if it is still the folder that was taken in: a link in its place leads elsewhere. */
async function rootOf({dataset_name, folder}: DatasetDetails): Promise<string> {
	const root = isSarmProgress(folder) ? path.dirname(folder) : folder;
	if ((await realpath(root).catch(() => undefined)) === root) return root;
	throw new HttpProblem(
		404,
		`The files of ${dataset_name} are not there any more: it was taken in from ${folder}. Ingest it again from where it is now.`,
	);
}

async function treeOf({folder}: DatasetDetails, root: string): Promise<FileTree> {
	if (!isSarmProgress(folder)) return fileTree(root);
	const name = path.basename(folder);
	const found = await regularFile(root, name);
	return {files: found ? [{path: name, size: found.size}] : [], truncated: false, leftOut: 0};
}

/**
 * The files and the card of a dataset of the lake (4.8), as they are on the disk now.
 *
 * @throws {HttpProblem} 404 for a dataset that the lake does not hold, or whose folder is gone, and for any ref but
 * `main`
 */
export async function datasetFiles(
	lake: Pick<Lake, 'details'>,
	{path: wanted, ref}: DatasetFilesQuery,
): Promise<OwnDatasetFiles> {
	const dataset = await datasetAt(lake, wanted);
	if (ref !== null && ref !== undefined && ref !== 'main') {
		throw new HttpProblem(
			404,
			`${wanted} has no ref ${quoted(ref)}: a folder of this machine has main alone.`,
		);
	}
	const root = await rootOf(dataset);
	const {files, truncated, leftOut} = await treeOf(dataset, root);
	// What lies beside a reward model's progress is another dataset's.
	const card = isSarmProgress(dataset.folder) ? undefined : await datasetCard(root);
	return {
		path: wanted,
		ref: 'main',
		dataset_id: dataset.dataset_id,
		files: [...files],
		total_size: files.reduce((sum, {size}) => sum + size, 0),
		truncated,
		left_out: leftOut,
		readme: card?.text ?? null,
		readme_front_matter: card?.frontMatter ?? null,
		readme_truncated: card?.truncated ?? false,
	};
}
