import path from 'node:path';

/** What a reward model said of a dataset's frames, at the dataset's root; a folder may hold it alone. */
export const sarmProgressName = 'sarm_progress.parquet';

/** What the lake calls the progress that lies in the dataset of this name, beside the dataset itself. */
export function sarmProgressDataset(datasetName: string): string {
	const suffix = '.sarm_progress';
	return datasetName.slice(0, 128 - suffix.length) + suffix;
}

/** Whether a path names such a file. */
export function isSarmProgress(file: string): boolean {
	return path.basename(file) === sarmProgressName;
}
