import {newBytesOf} from '../upload/new-bytes.ts';
import {UploadTally} from '../upload/upload-tally.ts';
import type {DatasetCheck} from './dataset-check.ts';
import {nameHolder} from './name-holder.ts';
import type {ProgressDisplay} from './progress.ts';
import type {Session} from './session.ts';
import {uploadProgress} from './upload-progress.ts';
import {blobsAloneWords, destinationOf, journalOf, takesUploads, withHashPool} from './upload-service.ts';

/** How much of a dataset a service does not hold yet, or why that is not known. */
export type NewBytes = {readonly bytes: number} | {readonly unknown: string};

/** What a service has to do with a dataset that is not sent yet. */
export type News = NewBytes & {
	/** The folder of this machine that has the dataset's name there: an upload under it is refused. */
	readonly holder?: string | undefined;
	/** That nothing becomes a dataset there by sending it. */
	readonly blobsAlone?: string | undefined;
};

/** Asks a service how much of a dataset it does not hold yet; nothing is sent. */
export async function askForNews(
	session: Session,
	{listing, folder, name}: DatasetCheck,
	{display, say, signal}: {display: ProgressDisplay; say: (sentence: string) => void; signal: AbortSignal},
): Promise<News> {
	const document = await session.client.localDocument({signal});
	const holder = await nameHolder(session, name, signal);
	const tally = new UploadTally(uploadProgress(display, name, {sends: false}));
	const journal = journalOf(session, document, folder, say);
	try {
		tally.begin(listing.bytes);
		const bytes = await withHashPool(signal, pool =>
			newBytesOf(listing.files, {
				destination: destinationOf(session, document),
				journal,
				pool,
				tally,
				signal,
			}),
		);
		const blobsAlone = takesUploads(document) ? undefined : blobsAloneWords(session, name, 'would be');
		if (bytes !== undefined) return {bytes, holder, blobsAlone};
		return {holder, blobsAlone, unknown: `${session.client.address.shown} does not say which files it holds`};
	} finally {
		journal.close();
		display.clear();
	}
}
