import {readdir} from 'node:fs/promises';
import path from 'node:path';
import type {ReportProblem} from './dataset-error.ts';
import type {VideoListing} from './episode-listing.ts';
import {locate, templateMatcher, videosFolder as usualFolder} from './layout.ts';

/** The video files of a dataset: only whether they are there, each looked for once. */
export class VideoFiles {
	readonly #root: string;
	/** True if a file holds the video of one episode alone. */
	readonly #oneAnEpisode: boolean;
	/** Cameras whose folder is missing, which was reported. */
	readonly #folderless: ReadonlySet<string>;
	readonly #report: ReportProblem;
	readonly #known = new Map<string, Promise<boolean>>();

	private constructor(
		root: string,
		oneAnEpisode: boolean,
		folderless: ReadonlySet<string>,
		report: ReportProblem,
	) {
		this.#root = root;
		this.#oneAnEpisode = oneAnEpisode;
		this.#folderless = folderless;
		this.#report = report;
	}

	/**
	 * @param root the dataset's root as `realpath` gives it.
	 * @param template where the videos lie, as `info.json` spells it.
	 * @param cameras the keys of the features that are kept as videos.
	 */
	static async find(
		root: string,
		template: string,
		cameras: readonly string[],
		report: ReportProblem,
	): Promise<VideoFiles> {
		const folderless = await missingFolders(root, template, cameras, report);
		return new VideoFiles(root, template.includes('{episode_index'), folderless, report);
	}

	/** @returns an episode's missing files, relative to the root; a camera whose file is not told counts by its key. */
	async missing(videos: readonly VideoListing[], episodeIndex: number): Promise<string[]> {
		const missing: string[] = [];
		for (const {key, file} of videos) {
			if (file === undefined) missing.push(key);
			else if (!(await this.#isPresent(key, file, episodeIndex))) missing.push(file);
		}
		return missing;
	}

	#isPresent(key: string, file: string, episodeIndex: number): Promise<boolean> {
		let present = this.#known.get(file);
		if (!present) {
			present = locate(this.#root, file).then(located => {
				if (!located.found && !this.#folderless.has(key)) {
					const shown = this.#oneAnEpisode ? `of episode ${episodeIndex}` : `from episode ${episodeIndex} on`;
					const message = `${file}, the video of camera "${key}" ${shown}, is ${located.reason}.`;
					this.#report({file, episodeIndex, message, preventsTraining: true});
				}
				return located.found;
			});
			this.#known.set(file, present);
		}
		return present;
	}
}

/** Says once for the whole dataset which camera folders are missing, and which there are instead. */
async function missingFolders(
	root: string,
	template: string,
	cameras: readonly string[],
	report: ReportProblem,
): Promise<Set<string>> {
	if (cameras.length === 0) return new Set();
	const declaredFolder = template.split('/', 1)[0] ?? usualFolder;
	const videosFolder = declaredFolder.includes('{') ? usualFolder : declaredFolder;
	const folder = await locate(root, videosFolder);
	if (!folder.found) {
		const [stranger] = await foldersLike(root, cameras);
		const instead = stranger === undefined ? '' : `; ${stranger} holds them: rename it to ${videosFolder}`;
		const declared = cameras.length === 1 ? `camera "${cameras[0]}"` : `${cameras.length} cameras`;
		report({
			file: videosFolder,
			message: `The folder ${videosFolder} is ${folder.reason}; meta/info.json declares ${declared}${instead}.`,
			preventsTraining: true,
		});
		return new Set(cameras);
	}
	const present = await cameraFolders(folder.path, template);
	const strangers = present.filter(name => !cameras.includes(name));
	const instead = strangers.length > 0 ? `; there is ${strangers.map(name => `"${name}"`).join(', ')}` : '';
	const missing = cameras.filter(key => !present.includes(key));
	for (const key of missing) {
		report({
			file: `${videosFolder}/${key}`,
			message: `The folder ${videosFolder} has no "${key}", as meta/info.json names a camera${instead}.`,
			preventsTraining: true,
		});
	}
	return new Set(missing);
}

/** The names of the folders that lie where those of cameras do: below `videos`, or below each of its chunks. */
async function cameraFolders(videos: string, template: string): Promise<string[]> {
	const chunk = /^[^/{]+\/([^/]*\{episode_chunk[^/]*)\/\{video_key\}/.exec(template)?.[1];
	const names = await foldersIn(videos);
	if (chunk === undefined) return names;
	const chunks = names.filter(templateMatcher(chunk));
	const below = await Promise.all(chunks.map(name => foldersIn(path.join(videos, name))));
	return [...new Set(below.flat())];
}

/** The folders of a dataset that have a camera's folder in them, or in a chunk of theirs, under another name. */
async function foldersLike(root: string, cameras: readonly string[]): Promise<string[]> {
	const names = (await foldersIn(root)).filter(name => !['meta', 'data', 'images'].includes(name));
	const found = await Promise.all(
		names.map(async name => {
			const first = await foldersIn(path.join(root, name));
			const chunks = first.filter(each => each.startsWith('chunk-'));
			const second = await Promise.all(chunks.map(each => foldersIn(path.join(root, name, each))));
			return [first, ...second].flat().some(each => cameras.includes(each)) ? [name] : [];
		}),
	);
	return found.flat().sort();
}

async function foldersIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	return entries.filter(entry => !entry.isFile()).map(({name}) => name);
}
