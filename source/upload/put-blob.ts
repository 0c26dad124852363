import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import * as z from 'zod';
import {readBody} from '../client/body.ts';
import {failureCode, failureSentence, mayPass} from '../client/failure-sentence.ts';
import {retryAfterSeconds} from '../client/retry.ts';
import {errorResponse} from '../contract/errors.ts';
import {type Blob, ContentChangedError, readBlob} from './blob-source.ts';
import {type BlobTarget, isPlainHeader} from './blob-target.ts';
import type {RateLimit} from './rate-limit.ts';

/** How one try to send a blob ended. */
export type PutOutcome =
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
	/** Whether a success must say which blob it stored, as the embedded service's does. */
	readonly confirms: boolean;
	/** Strikes out of an answer what is not to be shown. */
	readonly hide: (text: string) => string;
	readonly timeouts: {readonly connect: number; readonly headers: number; readonly body: number};
	readonly onBytes: (bytes: number) => void;
};

/** What is read of an answer, which is a short sentence or nothing. */
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

/** What an answer with an error says, in one line. */
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
	const why = `${shown} answered the sending of ${path} with ${status}: ${saidBy(text)}`;
	if (status >= 200 && status < 300) {
		if (!confirms || confirmation.safeParse(parse(text)).data?.blob_id === blobId) return {kind: 'stored'};
		return {kind: 'again', why: `${shown} did not confirm that it stored ${path}.`, retryAfter: undefined};
	}
	if (status < 400) {
		return {
			kind: 'failed',
			why: `${shown} wants ${path} sent elsewhere (${status}), and no redirect is followed.`,
		};
	}
	if (targetRefusals.has(status)) return {kind: 'refused', why};
	if (lastingFailures.has(status)) return {kind: 'failed', why};
	// Of the others, what was cut short or garbled on the way is worth another try, as is what the service is too busy for.
	const mayMend = [400, 408, 409, 422, 425, 429].includes(status) || status >= 500;
	return mayMend ? {kind: 'again', why, retryAfter} : {kind: 'failed', why};
}

/** Sends a blob to its target once: no key goes along, and no redirect is followed. */
export async function putBlob(blob: Blob, target: BlobTarget, options: PutOptions): Promise<PutOutcome> {
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
