import * as z from 'zod';
import {uploadLimits as limits} from './limits.ts';
import {sha256Hex} from './scalars.ts';

/** Section 4.4: one blob to be stored under its content's address. */
const blobRequest = z.lazy(() =>
	z.strictObject({
		blob_id: sha256Hex,
		envelope_sha256: sha256Hex,
		content_length: z.int().min(limits.contentLength.min).max(limits.contentLength.max),
	}),
);

/** Section 4.4, the request body. The response is not shown. */
export const prepareBatchRequest = z.lazy(() =>
	z.strictObject({
		blobs: z.array(blobRequest).min(limits.blobs.min).max(limits.blobs.max),
		ttl_seconds: z
			.int()
			.min(limits.ttlSeconds.min)
			.max(limits.ttlSeconds.max)
			.default(limits.ttlSeconds.default),
	}),
);
export type PrepareBatchRequest = z.input<typeof prepareBatchRequest>;

/** Section 4.7, the request body: the newest entry the caller saw, in seconds since 1970. */
export const dismissRequest = z.strictObject({dismissed_through_unix: z.int().min(0).default(0)});
export type DismissRequest = z.input<typeof dismissRequest>;

/** The longest path of a manifest and the longest name in it, in bytes of UTF-8. */
const manifestPathLimits = {pathBytes: 1024, nameBytes: 255} as const;

const encoder = new TextEncoder();

/**
 * The reason why a path is refused in a manifest, as the end of a sentence about it; undefined if it is not. A path that
 * passes stays below the folder it is joined to, and names one file exactly: nothing in it is decoded or resolved.
 */
export function manifestPathProblem(path: string): string | undefined {
	if (path === '') return 'must not be empty';
	if (!path.isWellFormed()) return 'must be well-formed Unicode';
	if (path.includes('\0')) return 'must not contain a NUL character';
	if (path.includes('\\')) return 'must not contain a backslash: folders are separated by /';
	if (path.startsWith('/')) return 'must be relative to the dataset, without a leading /';
	if (encoder.encode(path).byteLength > manifestPathLimits.pathBytes) {
		return `must be at most ${manifestPathLimits.pathBytes} bytes long`;
	}
	for (const name of path.split('/')) {
		if (name === '') return 'must not contain // or end with /';
		if (name === '.' || name === '..') return `must not contain "${name}" as a name`;
		if (encoder.encode(name).byteLength > manifestPathLimits.nameBytes) {
			return `must not contain a name longer than ${manifestPathLimits.nameBytes} bytes`;
		}
	}
	return undefined;
}
