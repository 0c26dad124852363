import {type DatasetLook, type FolderChoice, foldersLike, lookAtDataset} from '../../files/folder-choice.ts';
import {resolvePath} from '../../files/places.ts';

export {commonStart} from '../../files/folder-choice.ts';
export type {DatasetLook, FolderChoice};

/** What a path names just now, and how it could go on. */
export type ChooserSight = {
	readonly text: string;
	/** The folder that the text names, absolute. */
	readonly folder: string;
	/** What that folder is, where it is a dataset. */
	readonly look: DatasetLook | undefined;
	readonly choices: readonly FolderChoice[];
};

/** Looks at what a typed path names. */
export async function lookAt(text: string): Promise<ChooserSight> {
	const base = process.cwd();
	const folder = resolvePath(text === '' ? '.' : text, base);
	const [look, choices] = await Promise.all([lookAtDataset(folder), foldersLike(text, base)]);
	return {text, folder, look, choices};
}
