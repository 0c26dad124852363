import {constants} from 'node:fs';
import {open, realpath} from 'node:fs/promises';
import path from 'node:path';
import {type DatasetFilesQuery, datasetFileLimits, type OwnDatasetFiles} from '../../contract/files.ts';
import {locate} from '../../lerobot/layout.ts';
import {progressModelOf} from '../../lerobot/read-reward-progress.ts';
import {Refusal} from '../host/refusal.ts';
import type {DatasetDetails, LakeEngine} from '../lake/engine.ts';
import {type FileTree, fileTree, regularFile} from './file-tree.ts';

const quoted = (text: string) => JSON.stringify(text.slice(0, 200));

async function datasetAt(lake: Pick<LakeEngine, 'details'>, wanted: string): Promise<DatasetDetails> {
	const name = /^local\/([^/]+)$/.exec(wanted)?.[1];
	const found = name === undefined ? undefined : await lake.details(name);
	if (found && found.dataset_name === name) return found;
	throw new Refusal(
		'absent',
		`There is no dataset ${quoted(wanted)} in this lake: its datasets are local/NAME, as the listing gives them.`,
	);
}

/** The dataset's root, if it is still the folder that was ingested: a link in its place leads elsewhere. */
async function rootOf({dataset_name, folder}: DatasetDetails): Promise<string> {
	const root = progressModelOf(folder) === undefined ? folder : path.dirname(folder);
	if ((await realpath(root).catch(() => undefined)) === root) return root;
	throw new Refusal(
		'absent',
		`The files of ${dataset_name} are gone: it was ingested from ${folder}. Ingest it again from where it is now.`,
	);
}

async function treeOf({folder}: DatasetDetails, root: string): Promise<FileTree> {
	if (progressModelOf(folder) === undefined) return fileTree(root);
	const name = path.basename(folder);
	const found = await regularFile(root, name);
	return {files: found ? [{path: name, size: found.size}] : [], truncated: false, leftOut: 0};
}

/**
 * The files and the card of a dataset of the lake (4.8), as they are on the disk now.
 *
 * @throws {Refusal} `absent` for a dataset that the lake does not hold, or whose folder is gone, and for any ref but
 * `main`
 */
export async function datasetFiles(
	lake: Pick<LakeEngine, 'details'>,
	{path: wanted, ref}: DatasetFilesQuery,
): Promise<OwnDatasetFiles> {
	const dataset = await datasetAt(lake, wanted);
	if (ref !== null && ref !== undefined && ref !== 'main') {
		throw new Refusal(
			'absent',
			`${wanted} has no ref ${quoted(ref)}: a folder of this machine has main alone.`,
		);
	}
	const root = await rootOf(dataset);
	const {files, truncated, leftOut} = await treeOf(dataset, root);
	// Files beside a reward model's progress belong to another dataset.
	const card = progressModelOf(dataset.folder) === undefined ? await datasetCard(root) : undefined;
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

type DatasetCard = {
	/** Markdown, without the front matter. */
	readonly text: string;
	/** YAML, as it stands between the lines of `---`. */
	readonly frontMatter: string | null;
	readonly truncated: boolean;
};

/**
 * Reads README.md at a dataset's root.
 *
 * @param root as `realpath` gives it
 * @returns undefined where there is none that is a file inside the dataset and may be read
 */
export async function datasetCard(root: string): Promise<DatasetCard | undefined> {
	const located = await locate(root, 'README.md');
	if (!located.found) return undefined;
	// The path was no link; the flags refuse a link or a pipe that has replaced it since.
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	const file = await open(located.path, flags).catch(() => undefined);
	if (!file) return undefined;
	try {
		if (!(await file.stat()).isFile()) return undefined;
		const limit = datasetFileLimits.readmeBytes;
		const {buffer, bytesRead} = await file.read(Buffer.alloc(limit + 1), 0, limit + 1, 0);
		const truncated = bytesRead > limit;
		// As a stream: a character that the bound cuts in two is left out.
		const text = new TextDecoder().decode(buffer.subarray(0, Math.min(bytesRead, limit)), {
			stream: truncated,
		});
		return {...splitCard(text), truncated};
	} finally {
		await file.close();
	}
}

function splitCard(text: string): {text: string; frontMatter: string | null} {
	const found = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
	return found
		? {text: text.slice(found[0].length).replace(/^(\r?\n)+/, ''), frontMatter: found[1] ?? ''}
		: {text, frontMatter: null};
}
