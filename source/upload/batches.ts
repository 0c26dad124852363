import {uploadLimits} from '../contract/limits.ts';
import type {Blob} from './blob-source.ts';
import type {HashedFile} from './hash-files.ts';

/** A batch is also full with so many bytes: sending begins while large files are still being hashed. */
const batchBytes = 256 * 1024 * 1024;

/** The blobs of a file, each with its place in it. */
function blobsOf(file: HashedFile): Blob[] {
	let offset = 0;
	return file.blobs.map(({blob_id, content_length}) => {
		const blob = {
			blobId: blob_id,
			length: content_length,
			path: file.path,
			absolute: file.absolute,
			offset,
		};
		offset += content_length;
		return blob;
	});
}

/**
 * Gathers the blobs of files into batches as large as prepare-batch takes, each content once.
 *
 * @param seen the contents that need not be handed out, to which those of this call are added.
 * @param onRepeated told of a blob whose content is among them.
 */
export async function* batchesOf(
	files: AsyncIterable<HashedFile>,
	seen: Set<string>,
	onRepeated: (blob: Blob) => void,
): AsyncGenerator<readonly Blob[]> {
	let batch: Blob[] = [];
	let bytes = 0;
	for await (const file of files) {
		for (const blob of blobsOf(file)) {
			if (seen.has(blob.blobId)) {
				onRepeated(blob);
				continue;
			}
			seen.add(blob.blobId);
			batch.push(blob);
			bytes += blob.length;
			if (batch.length < uploadLimits.blobs.max && bytes < batchBytes) continue;
			yield batch;
			batch = [];
			bytes = 0;
		}
	}
	if (batch.length > 0) yield batch;
}
