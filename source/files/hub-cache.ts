import {readdir, readFile, realpath, stat} from 'node:fs/promises';
import path from 'node:path';

/**
 * A snapshot of a dataset in a cache of the Hugging Face Hub, which keeps `datasets--ORG--NAME/{refs,blobs,snapshots}`:
 * the files of a snapshot are links into `blobs`, which the snapshots of one repository share.
 */
export type HubSnapshot = {
	/** The folder `datasets--ORG--NAME`. */
	readonly repository: string;
	/** `ORG/NAME`. */
	readonly repoId: string;
	/** The commit. */
	readonly revision: string;
};

const prefix = 'datasets--';

/** The repository that a folder of the cache is, by its name: `ORG/NAME`; undefined for any other folder. */
export function hubRepoId(folder: string): string | undefined {
	const name = path.basename(folder);
	// The Hub allows no two hyphens in a row in a name.
	return name.startsWith(prefix) && name.length > prefix.length
		? name.slice(prefix.length).split('--').join('/')
		: undefined;
}

/** The snapshot that a folder is, by its path; undefined for any other folder. */
export function hubSnapshot(folder: string): HubSnapshot | undefined {
	const snapshots = path.dirname(folder);
	const repository = path.dirname(snapshots);
	const repoId = path.basename(snapshots) === 'snapshots' ? hubRepoId(repository) : undefined;
	return repoId === undefined ? undefined : {repository, repoId, revision: path.basename(folder)};
}

/** Where the contents of a snapshot's files lie; undefined for a folder that is no snapshot. */
export function blobsOf(root: string): string | undefined {
	const snapshot = hubSnapshot(root);
	return snapshot && path.join(snapshot.repository, 'blobs');
}

/** True if a real path is a blob of the repository that a root is a snapshot of. Blobs are files, never folders. */
export function isBlobOf(root: string, real: string): boolean {
	return path.dirname(real) === blobsOf(root);
}

/**
 * The name that the dataset in a folder has in a lake, unless it is given another: the folder's own. A name has no
 * slash, so that `ORG/NAME` of the Hub is `ORG--NAME`, as the Hub's own cache spells it, and can be read back.
 */
export function usualDatasetName(folder: string): string {
	const repoId = hubSnapshot(folder)?.repoId ?? hubRepoId(folder);
	return repoId?.replaceAll('/', '--') ?? path.basename(folder);
}

/**
 * Where LeRobot looks for the dataset of a folder first: a snapshot in `HOME/hub` stands for `HOME/ORG/NAME`, one of
 * another cache for its repository. Two folders that share it hold revisions of one dataset.
 */
export function homeOfDataset(folder: string): string {
	const snapshot = hubSnapshot(folder);
	if (snapshot === undefined) return folder;
	const {repository, repoId} = snapshot;
	const cache = path.dirname(repository);
	return path.basename(cache) === 'hub' ? path.join(path.dirname(cache), repoId) : repository;
}

/** A commit's first digits, as people read it. */
export const shortRevision = (revision: string) => revision.slice(0, 7);

/** The line that downloads what is missing of a repository into the cache that it lies in. */
export function downloadLine({repository, repoId, revision}: HubSnapshot): string {
	return `hf download ${repoId} --repo-type dataset --revision ${revision} --cache-dir ${path.dirname(repository)}`;
}

type ChosenSnapshot =
	| {
			readonly folder: string;
			readonly revision: string;
			/** The ref that names it; undefined where none does. */
			readonly ref: string | undefined;
			/** A ref that names a commit that is not there, as a sentence. */
			readonly note: string | undefined;
	  }
	| {readonly problem: string};

/** The refs that LeRobot asks for when it is asked for none: the format's version, then the newest. */
const usualRefs = ['v3.0', 'main'];

const longestRef = 256;

/** The commit that a ref names; undefined where there is no such ref, or what it holds is no commit. */
async function readRef(repository: string, ref: string): Promise<string | undefined> {
	const refs = path.join(repository, 'refs');
	const file = path.join(refs, ref);
	if (!file.startsWith(refs + path.sep) || file.includes('\0')) return undefined;
	try {
		const found = await stat(file);
		if (!found.isFile() || found.size > longestRef) return undefined;
		const commit = (await readFile(file, 'utf8')).trim();
		return /^[0-9a-f]{40}$/.test(commit) ? commit : '';
	} catch {
		return undefined;
	}
}

/** The snapshots of a repository that are folders in it, the last changed first. */
async function snapshotsOf(repository: string): Promise<readonly string[]> {
	const folder = path.join(repository, 'snapshots');
	const names = await readdir(folder).catch(() => []);
	const real = await realpath(repository).catch(() => repository);
	const found = await Promise.all(
		names.map(async revision => {
			const place = path.join(folder, revision);
			const [target, entry] = await Promise.all([
				realpath(place).catch(() => undefined),
				stat(place).catch(() => undefined),
			]);
			// A link to a folder elsewhere is no snapshot of this repository.
			const isOwn = target === path.join(real, 'snapshots', revision);
			return isOwn && entry?.isDirectory() ? [{revision, changed: entry.mtimeMs}] : [];
		}),
	);
	return found
		.flat()
		.sort((a, b) => b.changed - a.changed)
		.map(({revision}) => revision);
}

/**
 * Chooses a snapshot of `datasets--ORG--NAME`: the one that `refs/v3.0` names, else `refs/main`, else the last changed.
 *
 * @param wanted a ref, a commit or the beginning of one, where that is asked for instead
 */
export async function chooseSnapshot(repository: string, wanted?: string): Promise<ChosenSnapshot> {
	const repoId = hubRepoId(repository) ?? repository;
	const there = await snapshotsOf(repository);
	const chosen = (revision: string, ref?: string, note?: string): ChosenSnapshot => ({
		folder: path.join(repository, 'snapshots', revision),
		revision,
		ref,
		note,
	});
	const absent: string[] = [];
	for (const ref of wanted === undefined ? usualRefs : [wanted]) {
		const commit = await readRef(repository, ref);
		if (commit === undefined) continue;
		if (there.includes(commit)) return chosen(commit, ref);
		absent.push(
			commit === ''
				? `refs/${ref} of ${repoId} names no commit`
				: `refs/${ref} of ${repoId} names ${shortRevision(commit)}, which was not downloaded`,
		);
	}
	const [newest] = there;
	const again = `Download it again: hf download ${repoId} --repo-type dataset --cache-dir ${path.dirname(repository)}`;
	if (newest === undefined) {
		const reason = absent[0] ?? `${repoId} has no snapshot in ${path.join(repository, 'snapshots')}`;
		return {problem: `${reason}. ${again}`};
	}
	if (wanted === undefined) {
		const [first] = absent;
		const note =
			first === undefined ? undefined : `${first}: taken is ${shortRevision(newest)}, the newest there is.`;
		return chosen(newest, undefined, note);
	}
	const begun = there.filter(revision => wanted.length >= 4 && revision.startsWith(wanted));
	if (begun.length === 1 && begun[0] !== undefined) return chosen(begun[0]);
	const reason =
		absent[0] ??
		(begun.length > 1
			? `${wanted} begins ${begun.length} revisions of ${repoId}`
			: `${repoId} has no revision ${wanted} in ${repository}`);
	return {problem: `${reason}. There is ${there.map(shortRevision).join(', ')}.`};
}
