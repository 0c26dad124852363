import {readFile, stat} from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {isDataset, subfolders} from './datasets-on-disk.ts';
import {resolvePath, shortPath} from './places.ts';

/** A dataset's own description, read without opening its data. */
export type DatasetLook = {
	/** As written there: `v3.0`. */
	readonly version: string | undefined;
	readonly episodes: number | undefined;
	readonly robot: string | undefined;
};

/** A folder that could be chosen. */
export type FolderChoice = {
	/** As the completed text, with a slash at its end. */
	readonly path: string;
	/** Where it is a dataset. */
	readonly look: DatasetLook | undefined;
};

const description = z.looseObject({
	codebase_version: z.string().optional().catch(undefined),
	total_episodes: z.int().optional().catch(undefined),
	robot_type: z.string().nullish().catch(undefined),
});

/** A description is a few kilobytes; a longer file is not one. */
const longestDescription = 4 * 1024 * 1024;

/** Folders that are listed at most. */
const mostChoices = 200;

/** True if there is a folder at a path. */
export async function isFolder(file: string): Promise<boolean> {
	return stat(file).then(
		entry => entry.isDirectory(),
		() => false,
	);
}

/** A folder's description; undefined where it is not a dataset. */
export async function lookAtDataset(folder: string): Promise<DatasetLook | undefined> {
	if (!(await isDataset(folder))) return undefined;
	const nothing = {version: undefined, episodes: undefined, robot: undefined};
	try {
		const file = path.join(folder, 'meta', 'info.json');
		if ((await stat(file)).size > longestDescription) return nothing;
		const read = description.safeParse(JSON.parse(await readFile(file, 'utf8')));
		if (!read.success) return nothing;
		const {codebase_version: version, total_episodes: episodes, robot_type: robot} = read.data;
		return {version, episodes, robot: robot ?? undefined};
	} catch {
		// The check reports what is wrong with it.
		return nothing;
	}
}

/** The folders whose path begins with a text, each with its description. @param base of a relative text */
export async function foldersLike(text: string, base: string): Promise<readonly FolderChoice[]> {
	const typed = resolvePath(text === '' ? '.' : text, base);
	const isWhole = text === '' || /[/]$|(?:^|\/)\.{1,2}$|^~$/.test(text);
	const parent = isWhole ? typed : path.dirname(typed);
	const start = isWhole ? '' : path.basename(typed).toLowerCase();
	const found = (await subfolders(parent)).filter(folder =>
		path.basename(folder).toLowerCase().startsWith(start),
	);
	return Promise.all(
		found.slice(0, mostChoices).map(async folder => ({
			path: `${text.startsWith('/') ? folder : shortPath(folder)}/`,
			look: await lookAtDataset(folder),
		})),
	);
}

/** The text continued as far as all choices agree. */
export function commonStart(choices: readonly FolderChoice[]): string {
	const [first = '', ...others] = choices.map(choice => choice.path);
	let length = first.length;
	for (const other of others) {
		let same = 0;
		while (same < length && first[same] === other[same]) same++;
		length = same;
	}
	return first.slice(0, length);
}
