import * as z from 'zod';
import {uploadLimits as limits} from './limits.ts';
import {sha256Hex} from './scalars.ts';

/** Section 4.4: one blob to be stored under its content's address. */
export const blobRequest = z.lazy(() =>
	z.strictObject({
		blob_id: sha256Hex,
		envelope_sha256: sha256Hex,
		content_length: z.int().min(limits.contentLength.min).max(limits.contentLength.max),
	}),
);
export type BlobRequest = z.output<typeof blobRequest>;

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
