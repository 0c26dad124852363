import {nextDelayMs, type RetryPolicy, wait} from '../client/retry.ts';
import type {Blob} from './blob-source.ts';
import type {BlobTarget} from './blob-target.ts';
import {type PutOptions, type PutOutcome, putBlob} from './put-blob.ts';
import {UploadError} from './upload-error.ts';

/** How a blob came to be at the service, or that its file holds something else by now. */
export type Delivery = 'sent' | 'was there' | 'changed';

export type DeliverOptions = PutOptions & {
	readonly retry: RetryPolicy;
	/** Asks the service for the blob's target anew, which also tells whether it has arrived meanwhile. */
	readonly renew: (blob: Blob, signal: AbortSignal) => Promise<BlobTarget>;
};

/** An upload is patient: together some half a minute, or as long as the service asks for up to five. */
export const uploadRetry: RetryPolicy = {tries: 8, firstDelayMs: 250, maxDelayMs: 300_000};

/** A target that is about to expire is not used: the sending of the blob would end after it. */
const expiryMarginMs = 5000;

/** How many targets of one blob may be refused, one after the other. */
const mostRefusals = 3;

/** What a try that came to nothing has sent does not count. */
async function tryOnce(blob: Blob, target: BlobTarget, options: DeliverOptions): Promise<PutOutcome> {
	let bytes = 0;
	let isStored = false;
	try {
		const onBytes = (more: number) => {
			bytes += more;
			options.onBytes(more);
		};
		const outcome = await putBlob(blob, target, {...options, onBytes});
		isStored = outcome.kind === 'stored';
		return outcome;
	} finally {
		if (!isStored) options.onBytes(-bytes);
	}
}

/**
 * Brings a blob to the service, in as many tries as are worth it. After a try whose outcome is unknown the service is
 * asked first, so that nothing which has arrived is sent again.
 *
 * @throws {UploadError} where it cannot be brought there.
 */
export async function deliverBlob(blob: Blob, first: BlobTarget, options: DeliverOptions): Promise<Delivery> {
	const {retry, renew, signal} = options;
	let target = first;
	let refusals = 0;
	for (let failures = 0; ; ) {
		if (target.stored) return 'was there';
		if (target.expiresAt !== undefined && target.expiresAt - Date.now() < expiryMarginMs) {
			target = await renew(blob, signal);
			if (target.stored) return 'was there';
		}
		const outcome = await tryOnce(blob, target, options);
		switch (outcome.kind) {
			case 'stored':
				return 'sent';
			case 'changed':
				return 'changed';
			case 'failed':
				throw new UploadError(outcome.why);
			case 'refused':
				if (++refusals > mostRefusals) throw new UploadError(outcome.why);
				break;
			case 'again': {
				failures++;
				const delay = nextDelayMs(retry, {failures, retryAfter: outcome.retryAfter});
				if (delay === undefined) {
					throw new UploadError(
						`${outcome.why} That was try ${failures}; the same command goes on from here.`,
					);
				}
				await wait(delay, signal);
			}
		}
		target = await renew(blob, signal);
	}
}
