import {createHash, randomUUID} from 'node:crypto';
import {createReadStream} from 'node:fs';
import path from 'node:path';
import type {IngestProgress} from '../../contract/local.ts';
import type {ManifestBlob, ManifestFile} from '../../contract/local-uploads.ts';
import type {BlobStore} from './blob-store.ts';
import {type FileLayer, machineFiles} from './file-layer.ts';
import {bytesOf} from './manifest.ts';

/** A dataset that cannot be put together from its blobs; its message is a sentence for the person who sent them. */
class AssemblyError extends Error {
	override readonly name = 'AssemblyError';
}

type Assembly = {
	readonly manifest: readonly ManifestFile[];
	readonly blobs: BlobStore;
	/** The dataset's folder to be. It comes to be whole or not at all. */
	readonly target: string;
	/** Where it is put together: on the same disk. */
	readonly workshop: string;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: IngestProgress) => void;
	/** @default the machine's own */
	readonly files?: FileLayer;
};

/** A disk without hard links, or a blob that has as many as one may have, is copied from. */
const linkRefusals = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function linkOrCopy(files: FileLayer, from: string, to: string): Promise<void> {
	try {
		await files.link(from, to);
	} catch (error) {
		if (!linkRefusals.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
		await files.copy(from, to);
	}
}

/** Writes the pieces of a file one after the other, or nothing for an empty one. */
async function join(
	files: FileLayer,
	{path: name, sha256}: ManifestFile,
	pieces: ReadonlyArray<ManifestBlob & {readonly file: string}>,
	to: string,
	signal: AbortSignal,
): Promise<void> {
	const hash = createHash('sha256');
	const out = await files.create(to);
	try {
		for (const {file, blob_id, content_length} of pieces) {
			let length = 0;
			for await (const bytes of createReadStream(file, {signal}) as AsyncIterable<Buffer>) {
				length += bytes.byteLength;
				hash.update(bytes);
				await out.write(bytes);
			}
			if (length !== content_length) {
				throw new AssemblyError(`Blob ${blob_id} of ${name} has ${length} bytes, not ${content_length}.`);
			}
		}
		await out.sync();
	} finally {
		await out.close();
	}
	const found = hash.digest('hex');
	if (sha256 !== undefined && found !== sha256) {
		throw new AssemblyError(
			`${name} is said to have the sha256 ${sha256}, and its blobs together have ${found}: it changed while it was read. Upload it again.`,
		);
	}
}

/**
 * Makes a dataset's folder from blobs: a file of one blob is a hard link to it, one of several is written anew.
 *
 * @throws {AssemblyError} where the blobs are not what the manifest says, and system errors as they come
 */
export async function assemble(assembly: Assembly): Promise<void> {
	const {manifest, blobs, target, workshop, signal, onProgress, files = machineFiles} = assembly;
	if ((await files.namesIn(target)).length > 0) return;
	const place = path.join(workshop, randomUUID());
	const total = bytesOf(manifest);
	let done = 0;
	try {
		await files.makeFolder(place);
		const folders = new Set([place]);
		for (const file of manifest) {
			signal.throwIfAborted();
			onProgress({done, total, unit: 'bytes', step: 'assembling', detail: file.path});
			const to = path.join(place, file.path);
			const folder = path.dirname(to);
			if (!folders.has(folder)) await files.makeFolder(folder);
			for (let at = folder; !folders.has(at); at = path.dirname(at)) folders.add(at);
			const pieces = file.blobs.map(blob => ({...blob, file: blobs.pathOf(blob.blob_id)}));
			const [only] = pieces;
			if (only && pieces.length === 1) await linkOrCopy(files, only.file, to);
			else await join(files, file, pieces, to, signal);
			done += file.size;
		}
		for (const folder of folders) await files.syncFolder(folder);
		await files.makeFolder(path.dirname(target));
		await files.rename(place, target);
		await files.syncFolder(path.dirname(target));
	} finally {
		await files.remove(place).catch(() => undefined);
	}
}
