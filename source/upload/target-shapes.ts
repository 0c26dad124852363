import type {BlobTarget} from './blob-target.ts';

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
