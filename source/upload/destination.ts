import {isLoopback} from '../client/address.ts';
import type {Client} from '../client/client.ts';
import {uploadLimits} from '../contract/limits.ts';
import type {Blob} from './blob-source.ts';
import {UploadError} from './upload-error.ts';

/** Where blobs go. */
export type Destination = {
	readonly shown: string;
	/** True if it says of a blob that it stored it, and which it has. */
	readonly confirms: boolean;
	/** Strikes the key out of what a target says. */
	readonly hide: (text: string) => string;
	/** A target for each blob, safe to be sent to. */
	prepare(blobs: readonly Blob[], signal: AbortSignal): Promise<BlobTarget[]>;
};

/** An answer of prepare-batch that cannot be read: nothing is sent, and it is shown as it came. */
export class UnreadableTargetsError extends UploadError {
	readonly answer: unknown;

	constructor(message: string, answer: unknown) {
		super(message);
		this.answer = answer;
	}
}

/** As long as a target may be asked for: an upload's last blob waits for all that stand before it in its batch. */
const ttlSeconds = uploadLimits.ttlSeconds.max;

function requestFor(blobs: readonly Blob[]) {
	return {
		blobs: blobs.map(({blobId, length}) => ({
			blob_id: blobId,
			envelope_sha256: blobId,
			content_length: length,
		})),
		ttl_seconds: ttlSeconds,
	};
}

function safe(targets: readonly BlobTarget[], giver: TargetGiver, shown: string): BlobTarget[] {
	for (const {url, stored, blobId} of targets) {
		const problem = stored ? undefined : addressProblem(url, giver);
		if (problem !== undefined) {
			throw new UploadError(
				`${shown} wants blob ${blobId} sent to an address that ${problem}: nothing is sent there.`,
			);
		}
	}
	return [...targets];
}

function giverOf(client: Client, allowHttp: boolean): TargetGiver {
	const {origin, loopback} = client.address;
	return {origin, loopback, plainAllowed: loopback || allowHttp};
}

/** The embedded service. @param uploadId the upload that blobs are for; none where it is only asked what is new */
export function embeddedDestination(client: Client, allowHttp: boolean, uploadId?: string): Destination {
	const {shown} = client.address;
	return {
		shown,
		confirms: true,
		hide: client.cover.text,
		async prepare(blobs, signal) {
			const {data} = await client.prepareUploadBatch(requestFor(blobs), uploadId, {signal});
			const targets = data.targets.map(({blob_id, stored, url, headers, expires_at}) => ({
				blobId: blob_id,
				stored,
				url,
				headers,
				expiresAt: Date.parse(expires_at),
			}));
			const told = new Set(targets.map(({blobId}) => blobId));
			if (blobs.every(({blobId}) => told.has(blobId)))
				return safe(targets, giverOf(client, allowHttp), shown);
			throw new UploadError(`${shown} answered prepare-batch without a target for every blob.`);
		},
	};
}

/** A service that gives what the interface document shows, and an answer of prepare-batch that it does not. */
export function hostedDestination(client: Client, allowHttp: boolean): Destination {
	const {shown} = client.address;
	return {
		shown,
		confirms: false,
		hide: client.cover.text,
		async prepare(blobs, signal) {
			const {data} = await client.prepareBatch(requestFor(blobs), {signal});
			const targets = readTargets(
				data,
				blobs.map(({blobId}) => blobId),
			);
			if (targets) return safe(targets, giverOf(client, allowHttp), shown);
			throw new UnreadableTargetsError(
				`The answer of ${shown} to prepare-batch does not say where to send blobs in a known shape; the interface leaves that shape open. Nothing was sent.`,
				data,
			);
		},
	};
}

/**
 * Reads where blobs may be sent out of an answer whose shape the document does not show (4.4). It is read where there
 * is one way to read it: a list of objects, or one object by blob id, each with a blob that was asked for and one
 * http(s) address; anything else is left alone.
 */

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isAddress = (value: unknown): value is string =>
	typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);

/** The fields that services call the address of a PUT, the surest first; any other will do where it is the only one. */
const addressNames = ['url', 'upload_url', 'put_url', 'presigned_url', 'signed_url', 'href'];

/** How deep in an answer its list is looked for. */
const depth = 3;

function addressOf(fields: Fields): string | undefined {
	for (const name of addressNames) if (isAddress(fields[name])) return fields[name];
	const others = Object.values(fields).filter(isAddress);
	return others.length === 1 ? others[0] : undefined;
}

function headersOf({headers}: Fields): Record<string, string> | undefined {
	if (headers === undefined || headers === null) return {};
	if (!isObject(headers)) return undefined;
	const pairs = Object.entries(headers);
	if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string')) return undefined;
	return Object.fromEntries(pairs);
}

function expiryOf({expires_at}: Fields): number | undefined {
	const time = typeof expires_at === 'string' ? Date.parse(expires_at) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** One target; undefined where it cannot be read, or asks for more than a plain PUT. */
function readTarget(fields: Fields, blobId: string): BlobTarget | undefined {
	const {method = 'PUT', stored: told} = fields;
	const stored = typeof told === 'boolean' ? told : undefined;
	const url = addressOf(fields) ?? (stored ? '' : undefined);
	const headers = headersOf(fields);
	const isPut = typeof method === 'string' && method.toUpperCase() === 'PUT';
	if (url === undefined || headers === undefined || !isPut) return undefined;
	return {blobId, stored, url, headers, expiresAt: expiryOf(fields)};
}

function blobOf(fields: Fields, asked: ReadonlySet<string>): string | undefined {
	const named = [fields.blob_id, fields.id].find(id => typeof id === 'string' && asked.has(id));
	if (typeof named === 'string') return named;
	const found = new Set(Object.values(fields).filter(value => typeof value === 'string' && asked.has(value)));
	return found.size === 1 ? ([...found][0] as string) : undefined;
}

function fromList(list: readonly unknown[], asked: ReadonlySet<string>): (BlobTarget | undefined)[] {
	return list.map(item => {
		const blobId = isObject(item) ? blobOf(item, asked) : undefined;
		return blobId === undefined ? undefined : readTarget(item as Fields, blobId);
	});
}

function fromMap(map: Fields): (BlobTarget | undefined)[] {
	return Object.entries(map).map(([blobId, value]) =>
		readTarget(isObject(value) ? value : {url: value}, blobId),
	);
}

/** Every blob once, and nothing in the list that was not understood. */
function whole(
	read: readonly (BlobTarget | undefined)[],
	asked: ReadonlySet<string>,
): BlobTarget[] | undefined {
	const byBlob = new Map<string, BlobTarget>();
	for (const target of read) {
		if (!target) return undefined;
		byBlob.set(target.blobId, target);
	}
	return byBlob.size === asked.size ? [...byBlob.values()] : undefined;
}

function search(value: unknown, asked: ReadonlySet<string>, levels: number): BlobTarget[] | undefined {
	if (Array.isArray(value)) return whole(fromList(value, asked), asked);
	if (!isObject(value) || levels === 0) return undefined;
	if (Object.keys(value).some(key => asked.has(key))) return whole(fromMap(value), asked);
	const found = Object.values(value).flatMap(inner => {
		const targets = search(inner, asked, levels - 1);
		return targets ? [targets] : [];
	});
	return found.length === 1 ? found[0] : undefined;
}

/**
 * @param answer what prepare-batch answered.
 * @param asked the blobs that were asked for.
 * @returns a target for each of them; undefined where the answer cannot be read so.
 */
export function readTargets(answer: unknown, asked: readonly string[]): BlobTarget[] | undefined {
	return search(answer, new Set(asked), depth);
}

/** Where one blob is to be sent, as far as the service said. */
export type BlobTarget = {
	readonly blobId: string;
	/** True if the service holds the content already; undefined where it does not say. */
	readonly stored: boolean | undefined;
	readonly url: string;
	/** To be sent along. */
	readonly headers: Readonly<Record<string, string>>;
	/** From when on the target is no use, in milliseconds since 1970; undefined where that is not known. */
	readonly expiresAt: number | undefined;
};

/** The service that gave a target, as far as its targets' safety depends on it. */
type TargetGiver = {
	readonly origin: string;
	readonly loopback: boolean;
	/** It may be spoken to over plain http, by being on this machine or because that was allowed. */
	readonly plainAllowed: boolean;
};

/**
 * Why a target's address is not sent to, as the end of a sentence; undefined where it is. Content goes over https, or
 * over plain http to where the service itself is spoken to so.
 */
export function addressProblem(text: string, giver: TargetGiver): string | undefined {
	if (!URL.canParse(text)) return 'is no URL';
	const url = new URL(text);
	if (url.username || url.password) return 'holds a user name or password';
	if (url.protocol === 'https:') return undefined;
	if (url.protocol !== 'http:') return 'is neither https nor http';
	if (giver.loopback && isLoopback(url.hostname)) return undefined;
	if (giver.plainAllowed && url.origin === giver.origin) return undefined;
	return 'is plain http, which others could read';
}

/** Names that the connection itself has, or that would carry the key elsewhere. */
const refusedHeaders = new Set([
	'x-api-key',
	'host',
	'connection',
	'content-length',
	'transfer-encoding',
	'expect',
	'upgrade',
	'keep-alive',
	'te',
	'trailer',
]);

/** True if a header of a target may be sent as it is. */
export function isPlainHeader([name, value]: readonly [string, string]): boolean {
	return (
		/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) &&
		/^[\t\x20-\x7e\x80-\xff]*$/.test(value) &&
		!refusedHeaders.has(name.toLowerCase())
	);
}
