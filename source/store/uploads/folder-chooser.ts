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

/** What a path names just now, and how it could go on. */
export type ChooserSight = {
	/** What was typed; of a path behind another, that path alone. */
	readonly text: string;
	/** The folder that the text names, absolute. */
	readonly folder: string;
	/** There is such a folder. */
	readonly exists: boolean;
	/** What that folder is, where it is a dataset. */
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
