import path from 'node:path';

/** The work that reads or writes datasets now, or will soon. */
export type Busy = {
	readonly jobs: readonly Work[];
	readonly augmentations: readonly (Work & {readonly target: string})[];
	readonly ingests: readonly {readonly datasetName: string; readonly folders: readonly string[]}[];
};

type Work = {readonly jobId: string; readonly name: string; readonly datasetFolder: string};

export const isWithin = (file: string, folder: string) =>
	file === folder || file.startsWith(`${folder}${path.sep}`);

/** The first use of a folder or of one in it, and the way out, in words; undefined where it is at rest. */
export function userOf({jobs, augmentations, ingests}: Busy, folders: readonly string[]): string | undefined {
	const users = [
		...jobs.map(({jobId, name, datasetFolder}) => ({
			used: [datasetFolder],
			words: `the fine-tune ${name} (${jobId}) uses it: stop it first, or wait until it ends`,
		})),
		...augmentations.map(({jobId, name, datasetFolder, target}) => ({
			used: [datasetFolder, target],
			words: `the augmentation ${name} (${jobId}) uses it: cancel it first, or wait until it ends`,
		})),
		...ingests.map(({datasetName, folders: used}) => ({
			used,
			words: `${datasetName} is being ingested from it: wait until it ends`,
		})),
	];
	return users.find(({used}) => used.some(each => folders.some(folder => isWithin(each, folder))))?.words;
}
