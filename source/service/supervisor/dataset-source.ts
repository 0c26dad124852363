import {realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {datasetName} from '../../contract/episode.ts';
import {systemReason} from '../start-error.ts';

/** A folder that can be ingested: its real path, and the name that its dataset has in the lake. */
export type DatasetSource = {readonly folder: string; readonly name: string};

/** What is wrong with an ingest request, and in which of its fields. */
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
	let folder: string;
	try {
		folder = await realpath(wanted);
		if (!(await stat(folder)).isDirectory()) {
			throw new SourceProblem(
				'folder',
				`${wanted} is a file. Give the folder of a dataset, the one with meta/ in it.`,
			);
		}
	} catch (error) {
		if (error instanceof SourceProblem) throw error;
		const reason = systemReason(error);
		throw new SourceProblem('folder', `Cannot read ${wanted} on the service's machine: ${reason}.`);
	}
	if (!(await isFile(path.join(folder, 'meta', 'info.json')))) {
		throw new SourceProblem(
			'folder',
			`${wanted} is no LeRobot dataset: it has no meta/info.json. Give the folder that holds meta/ and data/.`,
		);
	}
	const settled = name ?? path.basename(folder);
	if (!datasetName.safeParse(settled).success) {
		throw new SourceProblem(
			'name',
			`The folder's name, ${JSON.stringify(settled)}, cannot be a dataset's: that takes 1 to 128 letters, digits, dots, underscores or hyphens, the first a letter or digit. Give a name with --name NAME.`,
		);
	}
	return {folder, name: settled};
}
