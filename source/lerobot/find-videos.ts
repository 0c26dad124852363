import {readdir} from 'node:fs/promises';
import type {ReportProblem} from './dataset-error.ts';
import type {VideoListing} from './episode-listing.ts';
import {locate, videosFolder} from './layout.ts';

/** The video files of a dataset: only whether they are there, each looked for once. */
export class VideoFiles {
	readonly #root: string;
	/** Cameras whose folder is missing, which was reported. */
	readonly #folderless: ReadonlySet<string>;
	readonly #report: ReportProblem;
	readonly #known = new Map<string, Promise<boolean>>();

	private constructor(root: string, folderless: ReadonlySet<string>, report: ReportProblem) {
		this.#root = root;
		this.#folderless = folderless;
		this.#report = report;
	}

	/**
	 * @param root the dataset's root as `realpath` gives it.
	 * @param cameras the keys of the features that are kept as videos.
	 */
	static async find(root: string, cameras: readonly string[], report: ReportProblem): Promise<VideoFiles> {
		return new VideoFiles(root, await missingFolders(root, cameras, report), report);
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
					const message = `${file}, the video of camera "${key}" from episode ${episodeIndex} on, is ${located.reason}.`;
					this.#report({file, episodeIndex, message});
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
	cameras: readonly string[],
	report: ReportProblem,
): Promise<Set<string>> {
	if (cameras.length === 0) return new Set();
	const folder = await locate(root, videosFolder);
	if (!folder.found) {
		const declared = cameras.length === 1 ? `camera "${cameras[0]}"` : `${cameras.length} cameras`;
		report({
			file: videosFolder,
			message: `The folder ${videosFolder} is ${folder.reason}; meta/info.json declares ${declared}.`,
		});
		return new Set(cameras);
	}
	const present = (await readdir(folder.path, {withFileTypes: true}).catch(() => []))
		.filter(entry => !entry.isFile())
		.map(({name}) => name);
	const strangers = present.filter(name => !cameras.includes(name));
	const instead = strangers.length > 0 ? `; there is ${strangers.map(name => `"${name}"`).join(', ')}` : '';
	const missing = cameras.filter(key => !present.includes(key));
	for (const key of missing) {
		report({
			file: `${videosFolder}/${key}`,
			message: `The folder ${videosFolder} has no "${key}", as meta/info.json names a camera${instead}.`,
		});
	}
	return new Set(missing);
}
