import {batchesOf} from './batches.ts';
import type {Destination} from './destination.ts';
import type {FolderFile} from './folder-listing.ts';
import {hashFiles} from './hash-files.ts';
import type {HashPool} from './hash-pool.ts';
import type {Journal} from './journal.ts';
import type {UploadTally} from './send-files.ts';

/**
 * Asks a service how many bytes of some files it does not hold yet; nothing is sent.
 *
 * @returns undefined where the service does not say which blobs it holds.
 */
export async function newBytesOf(
	files: readonly FolderFile[],
	asked: {
		readonly destination: Destination;
		readonly journal: Journal;
		readonly pool: HashPool;
		readonly tally: UploadTally;
		readonly signal: AbortSignal;
	},
): Promise<number | undefined> {
	const {destination, journal, pool, tally, signal} = asked;
	const hashed = hashFiles(files, {
		pool,
		signal,
		known: file => journal.blobsOf(file),
		onHashed(file, isNew) {
			tally.add('hashed', file.size);
			if (isNew) journal.noteHash(file, file.blobs);
		},
	});
	let bytes = 0;
	for await (const batch of batchesOf(hashed, new Set(), () => undefined)) {
		const lengths = new Map(batch.map(({blobId, length}) => [blobId, length]));
		for (const {blobId, stored} of await destination.prepare(batch, signal)) {
			if (stored === undefined) return undefined;
			if (!stored) bytes += lengths.get(blobId) ?? 0;
			lengths.delete(blobId);
		}
	}
	return bytes;
}
