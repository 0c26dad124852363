import {byteSize, span} from '../terminal/quantity.ts';
import {newBytesOf} from '../upload/new-bytes.ts';
import {UploadTally} from '../upload/send-files.ts';
import type {DatasetCheck} from './dataset-check.ts';
import {nameHolder} from './name-holder.ts';
import type {ProgressDisplay} from './print/progress.ts';
import type {Session} from './session.ts';
import {blobsAloneWords, destinationOf, journalOf, takesUploads, withHashPool} from './upload-service.ts';

/** The bytes of a dataset that a service does not hold yet, or the reason why they are not known. */
type NewBytes = {readonly bytes: number} | {readonly unknown: string};

/** A service's knowledge of a dataset before it is sent. */
export type News = NewBytes & {
	/** The folder of this machine that has the dataset's name there: an upload under it is refused. */
	readonly holder?: string | undefined;
	/** A warning that the service makes no dataset of what is sent. */
	readonly blobsAlone?: string | undefined;
};

/** Asks a service for the blobs of a dataset that it does not hold yet; nothing is sent. */
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

/** The interval between two drawings of a moving bar. */
const drawMs = 100;

/** The rate is averaged over so many milliseconds. */
const windowMs = 5000;

/** Computes bytes a second from the totals at several moments. */
class RateGauge {
	#samples: {at: number; bytes: number}[] = [];

	note(at: number, bytes: number): void {
		this.#samples.push({at, bytes});
		while ((this.#samples[0]?.at ?? at) < at - windowMs) this.#samples.shift();
	}

	get bytesPerSecond(): number | undefined {
		const [first] = this.#samples;
		const last = this.#samples.at(-1);
		if (!first || !last || last.at - first.at < 500) return undefined;
		return Math.max(0, ((last.bytes - first.bytes) / (last.at - first.at)) * 1000);
	}
}

/**
 * Shows the progress of an upload: bytes, rate and time left on a terminal, the step elsewhere.
 *
 * @param options.sends false for a check, which only hashes. @default true
 */
export function uploadProgress(
	display: ProgressDisplay,
	subject: string,
	{sends = true}: {sends?: boolean} = {},
): (tally: UploadTally) => void {
	const gauge = new RateGauge();
	let drawn = Number.NEGATIVE_INFINITY;
	let last = '';
	return ({total, hashed, there, sent}) => {
		const at = performance.now();
		const step = sends && (sent > 0 || hashed === total) ? 'sending' : 'hashing';
		if (at - drawn < drawMs && step === last) return;
		drawn = at;
		last = step;
		gauge.note(at, sent);
		const done = step === 'sending' ? there + sent : hashed;
		const rate = gauge.bytesPerSecond;
		const pace = rate ? `  ${byteSize(rate)}/s  ${span((total - there - sent) / rate)} left` : '';
		display.show({
			subject,
			step,
			done,
			total,
			figures: `${byteSize(done)} of ${byteSize(total)}${step === 'sending' ? pace : ''}`,
		});
	};
}
