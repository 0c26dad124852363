import {stat} from 'node:fs/promises';
import {uploadLimits} from '../contract/limits.ts';
import type {ManifestBlob} from '../contract/local-uploads.ts';
import {fileProblem} from '../files/file-problem.ts';
import {type FolderFile, stampOf} from './folder-listing.ts';
import type {HashPool} from './hash-pool.ts';
import {UploadError} from './upload-error.ts';

/** A file with the blobs that it is made of, in order. */
export type HashedFile = FolderFile & {readonly blobs: readonly ManifestBlob[]};

/** How many files are hashed ahead of the one that is waited for. */
const filesAhead = 32;

/** @returns undefined where the file changed while it was read. */
async function hashFile(pool: HashPool, file: FolderFile): Promise<HashedFile | undefined> {
	const pieces = piecesOf(file.size);
	const answers = await Promise.all(pieces.map(piece => pool.hash({file: file.absolute, ...piece})));
	const blobs: ManifestBlob[] = [];
	for (const [i, answer] of answers.entries()) {
		if (answer.kind === 'short' || (answer.kind === 'unreadable' && answer.code === 'ENOENT'))
			return undefined;
		if (answer.kind === 'unreadable') {
			const reason = fileProblem(Object.assign(new Error(answer.message), {code: answer.code}));
			throw new UploadError(`${file.path} cannot be read: ${reason}.`);
		}
		blobs.push({blob_id: answer.sha256, content_length: pieces[i]?.length ?? 0});
	}
	const after = await stat(file.absolute, {bigint: true}).catch(() => undefined);
	return after && stampOf(after) === file.stamp ? {...file, blobs} : undefined;
}

type HashOptions = {
	readonly pool: HashPool;
	/** The blobs of a file from an earlier run. */
	readonly known: (file: FolderFile) => readonly ManifestBlob[] | undefined;
	/** Called as files are done, whether they had to be read or not. */
	readonly onHashed: (file: HashedFile, isNew: boolean) => void;
	readonly signal: AbortSignal;
};

/**
 * Hashes files, several at a time, and hands them over in their order. Those that change meanwhile are left out.
 *
 * @throws {UploadError} for a file that cannot be read.
 */
export async function* hashFiles(
	files: Iterable<FolderFile>,
	{pool, known, onHashed, signal}: HashOptions,
): AsyncGenerator<HashedFile> {
	const ahead: Promise<HashedFile | undefined>[] = [];
	const start = async (file: FolderFile) => {
		const blobs = known(file);
		const hashed = blobs ? {...file, blobs} : await hashFile(pool, file);
		if (hashed && !signal.aborted) onHashed(hashed, blobs === undefined);
		return hashed;
	};
	const rest = files[Symbol.iterator]();
	for (;;) {
		signal.throwIfAborted();
		while (ahead.length < filesAhead) {
			const {value, done} = rest.next();
			if (done) break;
			const hashing = start(value);
			// Its caller gets the error; by then there may be none.
			hashing.catch(() => undefined);
			ahead.push(hashing);
		}
		const next = ahead.shift();
		if (!next) return;
		const hashed = await next.catch(error => {
			signal.throwIfAborted();
			throw error;
		});
		if (hashed) yield hashed;
	}
}

/** A part of a file, in bytes. */
type Piece = {readonly offset: number; readonly length: number};

/** The pieces that a file of some bytes is sent in, each as large as a blob may be but the last; none for an empty one. */
export function piecesOf(size: number): Piece[] {
	const largest = uploadLimits.contentLength.max;
	return Array.from({length: Math.ceil(size / largest)}, (_, i) => ({
		offset: i * largest,
		length: Math.min(largest, size - i * largest),
	}));
}
