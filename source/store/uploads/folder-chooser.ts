import {
	type DatasetLook,
	type FolderChoice,
	foldersLike,
	isFolder,
	lookAtDataset,
} from '../../files/folder-choice.ts';
import {resolvePath} from '../../files/places.ts';

export {commonStart} from '../../files/folder-choice.ts';
export type {DatasetLook, FolderChoice};

/** The folder that a path names, and its completions. */
export type ChooserSight = {
	/** The typed text; of a path behind another, that path alone. */
	readonly text: string;
	/** The folder that the text names, absolute. */
	readonly folder: string;
	/** There is such a folder. */
	readonly exists: boolean;
	/** The dataset in that folder, if it is one. */
	readonly look: DatasetLook | undefined;
	readonly choices: readonly FolderChoice[];
};

/** A whole path that was pasted or typed behind the one that stood there counts alone. */
function newestPath(text: string): string {
	return text.replace(/^.*\/(?=\/|~\/)/, '');
}

/** Looks at what a typed path names. */
export async function lookAt(typed: string): Promise<ChooserSight> {
	const base = process.cwd();
	const text = newestPath(typed);
	const folder = resolvePath(text === '' ? '.' : text, base);
	const [look, choices, exists] = await Promise.all([
		lookAtDataset(folder),
		foldersLike(text, base),
		isFolder(folder),
	]);
	return {text, folder, exists, look, choices};
}
