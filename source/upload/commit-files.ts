import type {Client} from '../client/client.ts';
import {ServiceError} from '../client/errors.ts';
import type {CommitResponse, ManifestFile} from '../contract/local-uploads.ts';
import type {HashedFile} from './hash-files.ts';
import {type Sender, sendFiles} from './send-files.ts';

/** How often what the service misses of a committed dataset is sent again. */
const mostRepairs = 2;

/** What a dataset's files are made of. The sha256 of a file in one piece is its blob's; of others the blobs vouch. */
export function manifestOf(files: readonly HashedFile[]): ManifestFile[] {
	return files.map(({path, size, blobs}) => ({
		path,
		size,
		...(blobs.length === 1 && {sha256: blobs[0]?.blob_id}),
		blobs: [...blobs],
	}));
}

/**
 * Commits an upload. Where the service does not hold all of it (it may have lost some since), that is sent again.
 *
 * @throws {ServiceError} 409 for a name that another dataset has, or an upload that is over.
 */
export async function commitFiles(
	client: Client,
	uploadId: string,
	files: readonly HashedFile[],
	sender: Sender,
): Promise<CommitResponse> {
	const {signal} = sender;
	for (let repairs = 0; ; repairs++) {
		try {
			return (await client.commitUpload(uploadId, {manifest: manifestOf(files)}, {signal})).data;
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 409 || repairs === mostRepairs) throw error;
			const {blobs} = await sendFiles(files, new Set(), sender);
			if (blobs === 0) throw error;
		}
	}
}
