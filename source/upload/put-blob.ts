import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import * as z from 'zod';
import {readBody} from '../client/body.ts';
import {failureCode, failureSentence, mayPass} from '../client/failure-sentence.ts';
import {nextDelayMs, type RetryPolicy, retryAfterSeconds, wait} from '../client/retry.ts';
import {errorResponse} from '../contract/errors.ts';
import {type Blob, ContentChangedError, type RateLimit, readBlob} from './blob-source.ts';
import {type BlobTarget, isPlainHeader} from './destination.ts';
import {UploadError} from './upload-error.ts';

/** How one try to send a blob ended. */
type PutOutcome =
	| {readonly kind: 'stored'}
	/** The file holds something else than it did when it was hashed. */
	| {readonly kind: 'changed'}
	/** Worth another try; `why` is a sentence. */
	| {readonly kind: 'again'; readonly why: string; readonly retryAfter: number | undefined}
	/** The target is not taken: another one may be. */
	| {readonly kind: 'refused'; readonly why: string}
	/** No try will do. */
	| {readonly kind: 'failed'; readonly why: string};

export type PutOptions = {
	readonly dispatcher: Dispatcher;
	readonly limit: RateLimit;
	readonly signal: AbortSignal;
	/** True if a success must say which blob it stored, as the embedded service's does. */
	readonly confirms: boolean;
	/** Strikes out of an answer what is not to be shown. */
	readonly hide: (text: string) => string;
	readonly timeouts: {readonly connect: number; readonly headers: number; readonly body: number};
	readonly onBytes: (bytes: number) => void;
};

/** The part of an answer that is read; it is a short sentence or nothing. */
const maxAnswerBytes = 64 * 1024;

/** 507 no room, 501 and 505 never: of the statuses from 500 on these do not mend themselves. */
const lastingFailures = new Set([501, 505, 507]);

/** Statuses with which stores refuse a target: the signature, its age, or that it was used. */
const targetRefusals = new Set([401, 403, 404, 410]);

const confirmation = z.looseObject({blob_id: z.string()});

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The sentence in an answer with an error, in one line. */
function saidBy(text: string): string {
	const standard = errorResponse.safeParse(parse(text));
	const said = standard.success ? standard.data.detail : text.replace(/<[^>]*>/g, ' ');
	return said.replace(/\s+/g, ' ').trim().slice(0, 300) || 'no reason';
}

function outcomeOf(
	{status, text, retryAfter}: {status: number; text: string; retryAfter: number | undefined},
	{blobId, path}: Blob,
	shown: string,
	confirms: boolean,
): PutOutcome {
	const why = `${shown} answered the upload of ${path} with ${status}: ${saidBy(text)}`;
	if (status >= 200 && status < 300) {
		if (!confirms || confirmation.safeParse(parse(text)).data?.blob_id === blobId) return {kind: 'stored'};
		return {kind: 'again', why: `${shown} did not confirm that it stored ${path}.`, retryAfter: undefined};
	}
	if (status < 400) {
		return {
			kind: 'failed',
			why: `${shown} redirects ${path} elsewhere (${status}); redirects are not followed.`,
		};
	}
	if (targetRefusals.has(status)) return {kind: 'refused', why};
	if (lastingFailures.has(status)) return {kind: 'failed', why};
	// Of the others, what was cut short or garbled on the way is worth another try, as is what the service is too busy for.
	const mayMend = [400, 408, 409, 422, 425, 429].includes(status) || status >= 500;
	return mayMend ? {kind: 'again', why, retryAfter} : {kind: 'failed', why};
}

/** Sends a blob to its target once: no key goes along, and no redirect is followed. */
async function putBlob(blob: Blob, target: BlobTarget, options: PutOptions): Promise<PutOutcome> {
	const {dispatcher, signal, timeouts, confirms} = options;
	const {origin, pathname, search} = new URL(target.url);
	const {default: sendRequest} = await import('undici/lib/api/api-request.js');
	const attempt = new AbortController();
	let sourceError: unknown;
	async function* content() {
		try {
			yield* readBlob(blob, {...options, signal: AbortSignal.any([signal, attempt.signal])});
		} catch (error) {
			sourceError = error;
			throw error;
		}
	}
	try {
		const answer = await sendRequest.call(dispatcher, {
			origin,
			path: pathname + search,
			method: 'PUT',
			headers: {
				...Object.fromEntries(Object.entries(target.headers).filter(isPlainHeader)),
				'content-length': String(blob.length),
			},
			body: Readable.from(content(), {objectMode: false}),
			headersTimeout: timeouts.headers,
			bodyTimeout: timeouts.body,
			signal,
		});
		const encoding = String(answer.headers['content-encoding'] ?? '');
		const text = await readBody(answer.body, {encoding, maxBytes: maxAnswerBytes});
		const header = answer.headers['retry-after'];
		const retryAfter = retryAfterSeconds(Array.isArray(header) ? header[0] : header);
		return outcomeOf(
			{status: answer.statusCode, text: options.hide(text), retryAfter},
			blob,
			origin,
			confirms,
		);
	} catch (error) {
		signal.throwIfAborted();
		if (sourceError instanceof ContentChangedError) return {kind: 'changed'};
		if (sourceError !== undefined) throw sourceError;
		const code = failureCode(error);
		const message = error instanceof Error ? error.message : String(error);
		const why = failureSentence(code, {shown: origin, timeouts: {...timeouts, overall: 0}, message});
		return mayPass(code) ? {kind: 'again', why, retryAfter: undefined} : {kind: 'failed', why};
	} finally {
		attempt.abort();
	}
}

/** How a blob came to be at the service, or that its file holds something else by now. */
type Delivery = 'sent' | 'was there' | 'changed';

type DeliverOptions = PutOptions & {
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

/** The bytes of a try that failed do not count. */
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
						`${outcome.why} That was try ${failures}; the same command resumes from here.`,
					);
				}
				await wait(delay, signal);
			}
		}
		target = await renew(blob, signal);
	}
}
