import {createHash} from 'node:crypto';
import {copyFile, mkdir, readdir, readFile, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';

/** A commit's name made of one word. */
export const commitOf = (word: string): string => createHash('sha1').update(word).digest('hex');

export type CachedRevision = {
	/** `datasets--ORG--NAME`. */
	readonly repository: string;
	readonly commit: string;
	/** `snapshots/COMMIT`. */
	readonly snapshot: string;
};

/**
 * Lays a dataset's files out as a download from the Hub does: every file a blob named by its hash, and a relative link to
 * it in the snapshot of the revision that the refs name.
 */
export async function cacheRevision(
	cache: string,
	repoId: string,
	dataset: string,
	{word, refs = ['main']}: {word: string; refs?: readonly string[]},
): Promise<CachedRevision> {
	const repository = path.join(cache, `datasets--${repoId.replace('/', '--')}`);
	const commit = commitOf(word);
	const snapshot = path.join(repository, 'snapshots', commit);
	const blobs = path.join(repository, 'blobs');
	await mkdir(blobs, {recursive: true});
	const entries = await readdir(dataset, {recursive: true, withFileTypes: true});
	for (const entry of entries.filter(each => each.isFile())) {
		const file = path.join(entry.parentPath, entry.name);
		const blob = path.join(
			blobs,
			createHash('sha256')
				.update(await readFile(file))
				.digest('hex'),
		);
		await copyFile(file, blob);
		const link = path.join(snapshot, path.relative(dataset, file));
		await mkdir(path.dirname(link), {recursive: true});
		await symlink(path.relative(path.dirname(link), blob), link);
	}
	await setRefs(repository, refs, commit);
	return {repository, commit, snapshot};
}

/** Has refs of a repository name a commit. */
export async function setRefs(repository: string, refs: readonly string[], commit: string): Promise<void> {
	await mkdir(path.join(repository, 'refs'), {recursive: true});
	for (const ref of refs) await writeFile(path.join(repository, 'refs', ref), commit);
}
