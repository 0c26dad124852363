import {readFile, realpath, stat} from 'node:fs/promises';
import {DatasetError, type ReportProblem} from './dataset-error.ts';
import type {EpisodeListing} from './episode-listing.ts';
import {type FeatureLayout, layoutFeatures} from './features.ts';
import {findDataFiles} from './find-data-files.ts';
import {VideoFiles} from './find-videos.ts';
import {type DatasetInfo, parseInfo} from './info.ts';
import {episodesFolder, episodesPathV21, infoPath, locate, subtasksPath, tasksPath} from './layout.ts';
import type {ReadDatabase} from './read-database.ts';
import {readEpisodeListings} from './read-episodes.ts';
import {readNames} from './read-names.ts';
import {readEpisodeListingsV21, readNamesV21} from './read-v21-episodes.ts';
import {isHalfRepaired} from './repair/journal.ts';

/** Bytes that `meta/info.json` may have. */
const maxInfoBytes = 16 * 1024 * 1024;

/** A dataset's folder and its `meta/info.json`. */
export type DatasetFolder = {
	/** As `realpath` gives it. */
	readonly root: string;
	readonly info: DatasetInfo;
	readonly layout: FeatureLayout;
	/** The cameras that are kept as videos. */
	readonly videos: readonly string[];
};

/** A dataset's metadata; the frames are read file by file. */
export type DatasetIndex = {
	/** The file or folder that lists the episodes, relative to the root. */
	readonly listedIn: string;
	readonly listings: ReadonlyMap<number, EpisodeListing>;
	/** Relative to the root. */
	readonly dataFiles: readonly string[];
	readonly videoFiles: VideoFiles;
	readonly tasks: ReadonlyMap<number, string>;
	readonly subtasks: ReadonlyMap<number, string>;
};

/**
 * Looks at a folder and reads `meta/info.json`.
 *
 * @throws {DatasetError} where it is not a readable dataset, with the way out.
 */
export async function openDataset(folder: string): Promise<DatasetFolder> {
	const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
		throw new DatasetError(unreachable(folder, error.code));
	});
	if (!(await stat(root)).isDirectory()) {
		throw new DatasetError(
			`${folder} is a file, not a dataset. Give the folder that holds meta/, data/ and videos/.`,
		);
	}
	if (await isHalfRepaired(root)) {
		throw new DatasetError(
			`A repair of ${folder} was interrupted, or is being made: lakescope repair ${folder} finishes it.`,
		);
	}
	const info = parseInfo(await readInfo(root, folder), folder);
	const layout = layoutFeatures(info.features);
	const videos = layout.cameras.filter(key => info.features[key]?.dtype === 'video');
	return {root, info, layout, videos};
}

async function readInfo(root: string, folder: string): Promise<string> {
	const located = await locate(root, infoPath);
	if (!located.found) {
		throw new DatasetError(
			located.reason === 'missing'
				? `${folder} is not a LeRobot dataset: it has no ${infoPath}. Give the root of a dataset, the folder that holds meta/, data/ and videos/.`
				: `${infoPath} of ${folder} is ${located.reason === 'outside' ? 'a link out of the dataset' : located.reason}.`,
		);
	}
	try {
		const stats = await stat(located.path);
		if (!stats.isFile()) throw new Error('it is not a file');
		if (stats.size > maxInfoBytes) throw new Error(`it has ${stats.size} bytes`);
		return await readFile(located.path, 'utf8');
	} catch (error) {
		throw new DatasetError(`${infoPath} of ${folder} cannot be read (${(error as Error).message}).`);
	}
}

function unreachable(folder: string, code: string | undefined): string {
	if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no folder ${folder}.`;
	if (code === 'EACCES' || code === 'EPERM') return `${folder} cannot be entered: no permission.`;
	return `${folder} cannot be read (${code}).`;
}

/** Reads the metadata of a dataset's episodes; broken rows are reported and left out. */
export async function readIndex(
	database: ReadDatabase,
	{root, info, layout, videos}: DatasetFolder,
	report: ReportProblem,
): Promise<DatasetIndex> {
	const listings =
		info.format === 'v2.1'
			? await readEpisodeListingsV21(root, info, videos, report)
			: await readEpisodeListings(database, root, info, videos, report);
	const names = (kind: 'task' | 'subtask', file: string) =>
		info.format === 'v2.1' ? readNamesV21(root, kind, report) : readNames(database, root, file, kind, report);
	return {
		listedIn: info.format === 'v2.1' ? episodesPathV21 : episodesFolder,
		listings,
		dataFiles: await findDataFiles(root, info.data_path, listings.values(), report),
		videoFiles: await VideoFiles.find(root, info.videoTemplate, videos, report),
		tasks: await names('task', tasksPath),
		subtasks: layout.hasSubtaskIndex ? await names('subtask', subtasksPath) : new Map(),
	};
}
