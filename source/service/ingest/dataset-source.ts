import {realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {datasetName} from '../../contract/episode.ts';
import {findDatasets} from '../../files/datasets-on-disk.ts';
import {
	chooseSnapshot,
	downloadLine,
	hubRepoId,
	hubSnapshot,
	usualDatasetName,
} from '../../files/hub-cache.ts';
import {
	progressDataset,
	progressModelOf,
	progressName,
	type RewardModel,
	rewardModels,
} from '../../lerobot/read-reward-progress.ts';
import {systemReason} from '../host/start-error.ts';

/**
 * A folder that can be ingested: its real path, and the name that its dataset has in the lake. The progress that a
 * reward model gave is a file: where that is meant, it is the file's path.
 */
export type DatasetSource = {readonly folder: string; readonly name: string};

/** A problem of an ingest request, and the field that has it. */
export class SourceProblem extends Error {
	override readonly name = 'SourceProblem';
	readonly field: 'folder' | 'name';

	constructor(field: 'folder' | 'name', message: string) {
		super(message);
		this.field = field;
	}
}

async function isFile(file: string): Promise<boolean> {
	return stat(file).then(
		found => found.isFile(),
		() => false,
	);
}

/**
 * Looks whether a folder holds a dataset, and settles its name.
 *
 * @throws {SourceProblem} in a sentence for a person
 */
export async function datasetSource(wanted: string, name?: string): Promise<DatasetSource> {
	const folder = await sourceFolder(wanted);
	const holdsDataset = await isFile(path.join(folder, 'meta', 'info.json'));
	const model = progressModelOf(wanted) ?? (holdsDataset ? undefined : await progressAlone(folder));
	if (!holdsDataset && model === undefined) {
		const snapshot = hubSnapshot(folder);
		const [below] = snapshot ? [] : await findDatasets(folder);
		const instead =
			below === undefined
				? 'Give the folder that holds meta/ and data/.'
				: `There is one in ${below}: give that folder.`;
		throw new SourceProblem(
			'folder',
			snapshot
				? `The snapshot ${folder} has no meta/info.json: it is not a LeRobot dataset, or was downloaded in part. Download the rest: ${downloadLine(snapshot)}`
				: `${wanted} is not a LeRobot dataset: it has no meta/info.json. ${instead}`,
		);
	}
	const ownName = usualDatasetName(folder);
	const usual = model !== undefined && holdsDataset ? progressDataset(ownName, model) : ownName;
	const meant = model === undefined ? folder : path.join(folder, progressName(model));
	return {folder: meant, name: checkedName(name ?? usual)};
}

/** The model whose progress a folder holds that is no dataset; the first of several. */
async function progressAlone(folder: string): Promise<RewardModel | undefined> {
	for (const model of rewardModels) if (await isFile(path.join(folder, progressName(model)))) return model;
	return undefined;
}

/**
 * The folder that is meant, as `realpath` gives it: for the file of progress, the one that it lies in; for a repository
 * of the Hub's cache, the snapshot that its refs name.
 */
async function sourceFolder(wanted: string): Promise<string> {
	try {
		const isProgress = progressModelOf(wanted) !== undefined && (await isFile(wanted));
		const folder = await realpath(isProgress ? path.dirname(wanted) : wanted);
		if (hubRepoId(folder) !== undefined) {
			const chosen = await chooseSnapshot(folder);
			if ('folder' in chosen) return chosen.folder;
			if (!(await isFile(path.join(folder, 'meta', 'info.json'))))
				throw new SourceProblem('folder', chosen.problem);
		}
		if ((await stat(folder)).isDirectory()) return folder;
	} catch (error) {
		if (error instanceof SourceProblem) throw error;
		const reason = systemReason(error);
		throw new SourceProblem('folder', `Cannot read ${wanted} on the service's machine: ${reason}.`);
	}
	throw new SourceProblem(
		'folder',
		`${wanted} is a file. Give the folder of a dataset, the one with meta/ in it.`,
	);
}

function checkedName(name: string): string {
	if (datasetName.safeParse(name).success) return name;
	throw new SourceProblem(
		'name',
		`The folder's name, ${JSON.stringify(name)}, cannot be a dataset's: that takes 1 to 128 letters, digits, dots, underscores or hyphens, the first a letter or digit. Give a name with --name NAME.`,
	);
}
