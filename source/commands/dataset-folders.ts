import {readdir, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {
	datasetAround,
	datasetNamed,
	deeperDataset,
	findDatasets,
	hubCache,
	lerobotHome,
} from '../files/datasets-on-disk.ts';
import {fileProblem, systemCode} from '../files/file-problem.ts';
import {
	chooseSnapshot,
	downloadLine,
	hubRepoId,
	hubSnapshot,
	shortRevision,
	usualDatasetName,
} from '../files/hub-cache.ts';
import {shortPath} from '../files/places.ts';
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
	/** Notes about those that were found: the revision, and the role. */
	readonly notes: readonly string[];
};

/** The sentence for a folder without a dataset, and what else there is. */
export async function noDatasetIn(dir: string): Promise<string> {
	const absolute = path.resolve(dir);
	const none = `${dir} holds no LeRobot dataset: there is no meta/info.json in it, nor in NAME or ORG/NAME below it.`;
	if (await isThere(path.join(absolute, 'frames.lance'))) {
		return `${dir} holds a dataset that is stored as lance, which lakescope does not read: take the parquet dataset that it was converted from.`;
	}
	if (await isFolder(path.join(absolute, 'data'))) {
		return `${none} It has data/ but no description: copy meta/ from where it was recorded or downloaded, since nothing can be read without it.`;
	}
	const deeper = await deeperDataset(absolute);
	return deeper === undefined ? none : `${none} There is one in ${shortPath(deeper)}: name that folder.`;
}

async function isThere(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}

async function notAFolder(dir: string): Promise<string> {
	if (!(await isThere(path.resolve(dir)))) return `There is no folder ${dir}.`;
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
		if (code === 'ELOOP') {
			throw new UsageError(
				`meta/info.json in ${dir} is a link that leads back to itself: copy or download the dataset again.`,
			);
		}
		throw new UsageError(`The folder ${dir} cannot be read: ${fileProblem(error)}.`);
	}
}

/** Which revision a folder of the Hub's cache is, and the name that it has in a lake. */
async function snapshotNotes(folder: string): Promise<readonly string[]> {
	const snapshot = hubSnapshot(folder);
	if (snapshot === undefined) return [];
	const {repository, repoId, revision} = snapshot;
	const chosen = await chooseSnapshot(repository);
	const isUsual = 'folder' in chosen && chosen.revision === revision;
	const ref = isUsual && chosen.ref !== undefined ? ` (${chosen.ref})` : '';
	return [
		...(isUsual && chosen.note !== undefined ? [chosen.note] : []),
		`${repoId}: revision ${shortRevision(revision)}${ref} of the Hub cache, named ${usualDatasetName(folder)}.`,
	];
}

/** The folder that a word means: a path, which may be a file of a dataset, else the name of a dataset that LeRobot keeps. */
async function folderMeant(word: string): Promise<string> {
	const absolute = path.resolve(word);
	if (await isFolder(absolute)) return absolute;
	const named = await datasetNamed(word);
	if (named !== undefined) {
		if ('problem' in named) throw new UsageError(named.problem);
		return named.folder;
	}
	if ((await datasetAround(absolute)) !== undefined && (await isThere(absolute))) return absolute;
	const sentence = await notAFolder(word);
	const isName = /^[\w.-]+\/[\w.-]+(?:@.+)?$/.test(word) && sentence.startsWith('There is no folder');
	throw new UsageError(
		isName
			? `${sentence.slice(0, -1)}, and no dataset of that name under ${shortPath(lerobotHome())} or ${shortPath(hubCache())}.`
			: sentence,
	);
}

/** Why a folder of the Hub's cache holds no dataset; nothing for another folder. */
async function requireWholeSnapshot(folder: string): Promise<void> {
	let place = folder;
	if (hubRepoId(folder) !== undefined) {
		const chosen = await chooseSnapshot(folder);
		if ('problem' in chosen) throw new UsageError(chosen.problem);
		place = chosen.folder;
	}
	const snapshot = hubSnapshot(place);
	if (snapshot === undefined) return;
	throw new UsageError(
		`Snapshot ${shortRevision(snapshot.revision)} of ${snapshot.repoId} has no meta/info.json: it is not a LeRobot dataset, or was downloaded in part. Download the rest: ${downloadLine(snapshot)}`,
	);
}

/**
 * The datasets at or below folders, as a person named them, or those that LeRobot keeps as ORG/NAME.
 *
 * @throws {UsageError} for a folder that is not there, or cannot be read.
 */
export async function datasetsAt(words: readonly string[]): Promise<FoundDatasets> {
	const folders = new Set<string>();
	const without: string[] = [];
	const notes: string[] = [];
	for (const word of words) {
		const folder = await folderMeant(word);
		await requireReadable(folder);
		const below = await findDatasets(folder);
		const around = below.length === 0 ? await datasetAround(folder) : undefined;
		if (around !== undefined) notes.push(`${word} lies in the dataset ${shortPath(around)}, which is taken.`);
		const found = around === undefined ? below : [around];
		for (const each of found) {
			const real = await realpath(each);
			if (!folders.has(real)) notes.push(...(await snapshotNotes(real)));
			folders.add(real);
		}
		if (found.length > 0) continue;
		await requireWholeSnapshot(folder);
		without.push(word);
	}
	return {folders: [...folders], without, notes};
}
