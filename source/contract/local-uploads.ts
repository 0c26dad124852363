import * as z from 'zod';
import {datasetName} from './episode.ts';
import {uploadLimits} from './limits.ts';
import {dateTime, openText, sha256Hex, uuid} from './scalars.ts';
import {syncStatus} from './sync-status.ts';
import {manifestPathProblem} from './uploads.ts';

/**
 * The embedded service's additions to uploads: the answers that the document leaves open (4.4, 4.7), and
 * `/local/v1/uploads`, which starts, commits, cancels and lists them. Shapes of lakescope's own.
 *
 * `blob_id` is the sha256 of a blob's content, `envelope_sha256` and `content_length` are of the bytes sent. Where the two
 * hashes are the same, the content is sent as it is. Else an envelope is sent: one that is gzip or zstd of at most 32 MiB
 * of content is opened and verified against `blob_id`; any other is kept as it is, and a commit that needs its content says
 * that it is not known.
 */

/** Bounds of a manifest; the largest body that holds one is `bodyBytes`. */
export const manifestLimits = {
	files: {min: 1, max: 100_000},
	blobsPerFile: 65_536,
	bodyBytes: 64 * 1024 * 1024,
} as const;

/**
 * The query of `POST /v1/datasets/upload/prepare-batch` besides its body: the upload that the blobs are for. Then
 * its progress counts them; without it the call counts as activity of every upload that is staging.
 */
export const prepareBatchQuery = z.looseObject({upload_id: uuid.optional()});

/** Where one blob is to be sent, and with what. */
const uploadTarget = z.lazy(() =>
	z.looseObject({
		blob_id: sha256Hex,
		/** The content is there already: nothing needs to be sent. The target works all the same. */
		stored: z.boolean(),
		method: z.literal('PUT'),
		/** Absolute; its signature is the right to send this blob, so that no `x-api-key` is needed. */
		url: z.url(),
		/** Headers to send along as they are. */
		headers: z.record(z.string(), z.string()),
		/** From when on the target is refused with 403. Prepare the blob again then. */
		expires_at: dateTime,
	}),
);
export type UploadTarget = z.output<typeof uploadTarget>;

/** The success answer of 4.4: one target a blob, in the order asked; a blob asked for twice has two. */
export const prepareBatchResponse = z.looseObject({targets: z.array(uploadTarget)});
export type PrepareBatchResponse = z.output<typeof prepareBatchResponse>;

/**
 * The answer of a target's PUT, after which the blob is durable: 201 where it is new, 200 where it was there. Refusals
 * have a `detail`: 403 signature (expired, altered, another lake's), 400 cut short, 413 longer than said, 422 another
 * content, 507 no room.
 */
export const blobStored = z.looseObject({
	blob_id: sha256Hex,
	/** Of the bytes sent. */
	content_length: z.int(),
	/** Of an envelope: whether it was opened and holds the content of `blob_id`; one that was not is kept as it is. */
	verified: z.boolean().optional(),
});
export type BlobStored = z.output<typeof blobStored>;

/** `POST /local/v1/uploads`: starts an upload, or goes on with the one of this name and folder that is staging. */
export const uploadRequest = z.lazy(() =>
	z.strictObject({
		/** The dataset's name in the lake. */
		dataset_name: datasetName,
		/** The folder on the client's machine, to be shown and to be sent again from. */
		folder: z.string().min(1).max(4096).optional(),
		total_bytes: z.int().min(0).optional(),
		total_files: z.int().min(0).optional(),
	}),
);
export type UploadRequest = z.input<typeof uploadRequest>;

/** An upload's phases: these two, and those of its re-ingest once it is committed. */
const uploadPhases = [
	'staging',
	'cancelled',
	'queued',
	'preparing',
	'publishing',
	'finalized',
	'failed',
] as const;
export type UploadPhase = (typeof uploadPhases)[number];

/** An entry of the upload feed: an upload, or the ingest of a folder of the service's machine. */
export const uploadRecord = z.lazy(() =>
	z.looseObject({
		/** `ingest` where nothing was sent, because the folder is on the service's machine. */
		kind: z.enum(['upload', 'ingest']),
		/** Null for an ingest. */
		upload_id: uuid.nullable(),
		/** The dataset's id, which is also its repo's: what 4.7 dismisses. */
		repo_id: uuid,
		dataset_name: z.string(),
		/** The folder it comes from; the client's for an upload. */
		folder: z.string().nullable(),
		phase: openText,
		/** Nothing more will happen to it by itself. */
		done: z.boolean(),
		/** While staging: nothing has been asked for or sent for a while. */
		quiet: z.boolean(),
		/** The reason, when the phase is `failed`. */
		message: z.string().nullable(),
		/** The re-ingest, once committed; `GET /v1/datasets/sync-status/{operation_id}` tells of it as well. */
		operation_id: uuid.nullable(),
		/** The re-ingest's status, once committed. */
		status: syncStatus.nullable(),
		/** Bytes of this upload that the service holds; null for an ingest. */
		bytes_stored: z.int().nullable(),
		/** Bytes in all, as far as they are known. */
		bytes_total: z.int().nullable(),
		files_total: z.int().nullable(),
		/** Dismissed (4.7): such entries are listed only where all are asked for. */
		suppressed: z.boolean(),
		/** When it began, and when it last moved, in whole seconds since 1970. */
		created_unix: z.int(),
		updated_unix: z.int(),
	}),
);
export type UploadRecord = z.output<typeof uploadRecord>;

/** The query of `GET /local/v1/uploads`. */
export const uploadListQuery = z.strictObject({
	/** `true` lists dismissed and superseded entries as well. */
	all: z.enum(['true', 'false']).default('false'),
});

/**
 * `GET /local/v1/uploads`: the upload feed, newest first. Of each repo it holds what is under way and the newest that
 * ended, as far as it was not dismissed.
 */
export const uploadListResponse = z.looseObject({items: z.array(uploadRecord)});
export type UploadListResponse = z.output<typeof uploadListResponse>;

/** A piece of a file, stored under its content's address. */
export const manifestBlob = z.lazy(() =>
	z.strictObject({
		blob_id: sha256Hex,
		content_length: z.int().min(uploadLimits.contentLength.min).max(uploadLimits.contentLength.max),
	}),
);
export type ManifestBlob = z.output<typeof manifestBlob>;

/** A file of the dataset: its pieces in order. An empty file has none. */
export const manifestFile = z.lazy(() =>
	z.strictObject({
		/** Relative to the dataset's root, with `/` between folders. */
		path: z.string().superRefine((path, context) => {
			const problem = manifestPathProblem(path);
			if (problem !== undefined) context.addIssue({code: 'custom', message: problem});
		}),
		/** In bytes: the sum of its pieces. */
		size: z.int().min(0),
		/** Of the whole file: checked where it is given. */
		sha256: sha256Hex.optional(),
		blobs: z.array(manifestBlob).max(manifestLimits.blobsPerFile),
	}),
);
export type ManifestFile = z.output<typeof manifestFile>;

/** `POST /local/v1/uploads/{upload_id}/commit`: every file of the dataset. */
export const commitRequest = z.lazy(() =>
	z.strictObject({
		manifest: z.array(manifestFile).min(manifestLimits.files.min).max(manifestLimits.files.max),
	}),
);
export type CommitRequest = z.input<typeof commitRequest>;

/** The answer of a commit (202). Committing the same manifest again gives the same. */
export const commitResponse = z.looseObject({
	upload_id: uuid,
	repo_id: uuid,
	/** The re-ingest it dispatched. */
	operation_id: uuid,
	/** A hash over the manifest. */
	revision: sha256Hex,
});
export type CommitResponse = z.output<typeof commitResponse>;

/** The refusal of a commit (409) some of whose blobs the service does not hold: send them, and commit again. */
export const missingBlobs = z.looseObject({detail: z.string(), missing: z.array(sha256Hex)});
export type MissingBlobs = z.output<typeof missingBlobs>;

/** The success answer of 4.7. */
export const dismissResponse = z.looseObject({
	repo_id: uuid,
	/** False where the repo's newest entry stays in the feed: it is under way, or newer than the caller saw. */
	dismissed: z.boolean(),
	/** The phase of the repo's live entry, or of its newest. */
	phase: openText,
	/** The repo's watermark: what failed or went quiet at or before it is not listed. */
	dismissed_through_unix: z.int(),
});
export type DismissResponse = z.output<typeof dismissResponse>;
