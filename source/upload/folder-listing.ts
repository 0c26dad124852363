import {type BigIntStats, constants} from 'node:fs';
import {access, readdir, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {ConcurrencyLimit} from '../concurrency.ts';
import {uploadLimits} from '../contract/limits.ts';
import {manifestLimits} from '../contract/local-uploads.ts';
import {manifestPathProblem} from '../contract/uploads.ts';
import {fileProblem, systemCode} from '../files/file-problem.ts';
import {hubSnapshot, isBlobOf} from '../files/hub-cache.ts';

/** A file that can be sent. */
export type FolderFile = {
	/** Relative to the dataset's root, with `/` between folders. */
	readonly path: string;
	readonly absolute: string;
	/** In bytes. */
	readonly size: number;
	/** Changes with the file's content. */
	readonly stamp: string;
};

/** Why a file or folder cannot be sent. */
type ListingProblem = {readonly file: string; readonly message: string};

export type FolderListing = {
	/** In the order of their paths. */
	readonly files: readonly FolderFile[];
	readonly bytes: number;
	readonly problems: readonly ListingProblem[];
	/** Paths of what belongs to tools and not to the dataset. */
	readonly leftOut: readonly string[];
};

/** Files of version control, downloads and desktops; the hub's own tools do not upload them either. */
const strangers = new Set(['.git', '.cache', '.DS_Store']);

const largestFile = manifestLimits.blobsPerFile * uploadLimits.contentLength.max;

/** How many entries of a folder are looked at at once. */
const looksAtOnce = 32;

type Entry = {readonly name: string; readonly isLink: boolean};

/** Walks a dataset's folder without ever leaving it; the files of a snapshot are blobs of its repository. */
class Walk {
	readonly #root: string;
	readonly #signal: AbortSignal | undefined;
	readonly #looks = new ConcurrencyLimit(looksAtOnce);
	readonly files: FolderFile[] = [];
	readonly problems: ListingProblem[] = [];
	readonly leftOut: string[] = [];
	#folders = 0;

	constructor(root: string, signal: AbortSignal | undefined) {
		this.#root = root;
		this.#signal = signal;
	}

	/** @param above the real paths of the folders on the way here, itself included. */
	async folder(absolute: string, relative: string, above: readonly string[]): Promise<void> {
		this.#folders++;
		const entries = await this.#entries(absolute, relative);
		const folders = await this.#looks.map(entries, async entry => {
			this.#signal?.throwIfAborted();
			return this.isTooMuch ? undefined : this.#look(absolute, relative, entry, above);
		});
		for (const each of folders) {
			if (this.isTooMuch) return;
			if (each) await this.folder(each.absolute, each.path, [...above, each.real]);
		}
	}

	/** Links to folders can make more of them than there are. */
	get isTooMuch(): boolean {
		return Math.max(this.files.length, this.#folders) > manifestLimits.files.max;
	}

	async #entries(absolute: string, relative: string): Promise<Entry[]> {
		const found: Entry[] = [];
		try {
			const entries = await readdir(absolute, {withFileTypes: true, encoding: 'buffer'});
			for (const entry of entries) {
				const name = entry.name.toString('utf8');
				if (Buffer.from(name).equals(entry.name)) found.push({name, isLink: entry.isSymbolicLink()});
				else this.#problem(joined(relative, name), 'has a name that is not UTF-8: rename it');
			}
		} catch (error) {
			this.#problem(relative || '.', `cannot be read: ${fileProblem(error)}`);
		}
		return found.sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** Takes a file down; returns a folder that is to be gone into. */
	async #look(
		parent: string,
		relative: string,
		{name, isLink}: Entry,
		above: readonly string[],
	): Promise<{absolute: string; path: string; real: string} | undefined> {
		const file = joined(relative, name);
		if (strangers.has(name)) {
			this.leftOut.push(file);
			return undefined;
		}
		const pathProblem = manifestPathProblem(file);
		if (pathProblem !== undefined) return this.#problem(file, `has a path that ${pathProblem}: rename it`);
		const absolute = path.join(parent, name);
		try {
			const real = isLink ? await realpath(absolute) : absolute;
			if (isLink && !isInside(this.#root, real) && !isBlobOf(this.#root, real)) {
				return this.#problem(
					file,
					`is a link that leaves the dataset, to ${real}: put the file itself there`,
				);
			}
			const found = await stat(absolute, {bigint: true});
			if (found.isDirectory()) {
				const place = isLink ? real : path.join(above.at(-1) ?? this.#root, name);
				if (!above.includes(place)) return {absolute, path: file, real: place};
				return this.#problem(file, 'is a link to a folder that contains it: remove it');
			}
			if (!found.isFile()) return this.#problem(file, 'is neither a file nor a folder: remove it');
			await access(absolute, constants.R_OK);
			if (found.size > largestFile) {
				return this.#problem(file, `has ${found.size} bytes, and a file may have ${largestFile}`);
			}
			this.files.push({path: file, absolute, size: Number(found.size), stamp: stampOf(found)});
		} catch (error) {
			if (systemCode(error) !== 'ENOENT') return this.#problem(file, `cannot be read: ${fileProblem(error)}`);
			// Anything else that is not there any more went while it was looked at.
			if (isLink) {
				const isBlob = hubSnapshot(this.#root) !== undefined;
				this.#problem(
					file,
					isBlob ? 'is a link to a blob that is missing: download it again' : 'is a broken link: remove it',
				);
			}
		}
		return undefined;
	}

	#problem(file: string, message: string): undefined {
		this.problems.push({file, message: `${message}.`});
	}
}

const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

function isInside(root: string, file: string): boolean {
	return file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

/**
 * Lists what an upload of a folder would send, and what of it cannot be sent.
 *
 * @param folder a dataset's root.
 * @throws system errors where the folder itself is not there.
 */
export async function listFolder(folder: string, signal?: AbortSignal): Promise<FolderListing> {
	const root = await realpath(folder);
	const walk = new Walk(root, signal);
	await walk.folder(root, '', [root]);
	const files = walk.files.sort((a, b) => (a.path < b.path ? -1 : 1));
	const problems = walk.problems.sort((a, b) => (a.file < b.file ? -1 : 1));
	if (walk.isTooMuch) {
		const message = `holds more than ${manifestLimits.files.max} files or folders, the most that one upload may have.`;
		problems.push({file: '.', message});
	}
	const bytes = files.reduce((sum, {size}) => sum + size, 0);
	return {files, bytes, problems, leftOut: walk.leftOut.sort()};
}

/**
 * A mark that changes with a file without reading it: size, time of change to the nanosecond, and which
 * file it is. Setting the modification time back still changes the other.
 */
export function stampOf({size, mtimeNs, ctimeNs, ino}: BigIntStats): string {
	return [size, mtimeNs, ctimeNs, ino].join(':');
}
