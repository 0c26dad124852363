import type {Client} from '../client/client.ts';
import {uploadLimits} from '../contract/limits.ts';
import type {Blob} from './blob-source.ts';
import {addressProblem, type BlobTarget, type TargetGiver} from './blob-target.ts';
import {readTargets} from './target-shapes.ts';
import {UploadError} from './upload-error.ts';

/** Where blobs go. */
export type Destination = {
	readonly shown: string;
	/** Whether it says of a blob that it stored it, and which it has. */
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
				`The answer of ${shown} to prepare-batch does not show where blobs are to be sent, in a way that can be read; the interface leaves its shape open. Nothing was sent.`,
				data,
			);
		},
	};
}
