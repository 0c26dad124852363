import type * as z from 'zod';
import type {
	BlobStored,
	ManifestBlob,
	PrepareBatchResponse,
	UploadTarget,
} from '../../contract/local-uploads.ts';
import type {BlobRequest, prepareBatchRequest} from '../../contract/uploads.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type BlobGrant, BlobSigner} from './blob-signature.ts';
import type {BlobStore} from './blob-store.ts';
import {isOver, requireUpload} from './refusals.ts';
import {storageProblem, storageSentence} from './storage-problem.ts';
import type {Transfers} from './transfers.ts';
import type {Upload, UploadStore} from './upload-store.ts';

export type BlobIntakeOptions = {
	readonly lakeFolder: string;
	readonly uploads: UploadStore;
	readonly blobs: BlobStore;
	readonly transfers: Transfers;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/** A blob's content comes as it is: what the document calls its envelope is the content itself. */
function refuseEnvelopes(blobs: readonly BlobRequest[]): void {
	const issues = blobs.flatMap(({blob_id, envelope_sha256}, index) =>
		blob_id === envelope_sha256
			? []
			: [
					{
						loc: ['body', 'blobs', index, 'envelope_sha256'],
						msg: 'Must equal blob_id: this service takes blobs as they are, without an envelope',
						type: 'value_error',
						input: envelope_sha256,
					},
				],
	);
	if (issues.length > 0) throw new HttpProblem(422, issues);
}

/** Prepares targets for blobs (section 4.4), and takes in what is sent to them. */
export class BlobIntake {
	readonly #options: BlobIntakeOptions;
	readonly #signer: BlobSigner;
	readonly #now: () => number;

	constructor(options: BlobIntakeOptions) {
		this.#options = options;
		this.#signer = new BlobSigner(options.lakeFolder);
		this.#now = options.now ?? Date.now;
	}

	/**
	 * One target a blob.
	 *
	 * @param uploadId the upload that the blobs are for, where that is said
	 * @param origin where the caller reaches this service: `http://127.0.0.1:4321`
	 * @throws {HttpProblem} 422 for a blob that cannot be, 404 and 409 for an upload that is not there or is over
	 */
	async prepare(
		{blobs, ttl_seconds}: z.output<typeof prepareBatchRequest>,
		uploadId: string | undefined,
		origin: string,
	): Promise<PrepareBatchResponse> {
		refuseEnvelopes(blobs);
		const upload = uploadId === undefined ? undefined : this.#staging(uploadId);
		this.#options.transfers.moved(upload?.uploadId);
		const expires = Math.floor(this.#now() / 1000) + ttl_seconds;
		const targets: UploadTarget[] = [];
		const release = await this.#options.blobs.claims.claim(blobs.map(({blob_id}) => blob_id));
		try {
			for (const {blob_id, content_length} of blobs) {
				const stored = (await this.#options.blobs.lengthOf(blob_id)) === content_length;
				if (stored) await this.#options.blobs.renew(blob_id);
				const grant = {blobId: blob_id, length: content_length, expires, uploadId: upload?.uploadId};
				targets.push(await this.#target(grant, stored, origin));
			}
			this.#note(
				upload?.uploadId,
				blobs.filter((_, index) => targets[index]?.stored),
			);
			return {targets};
		} catch (error) {
			throw storageProblem(error, 'The key that signs targets', this.#options.lakeFolder);
		} finally {
			release();
		}
	}

	async #target(grant: BlobGrant, stored: boolean, origin: string): Promise<UploadTarget> {
		return {
			blob_id: grant.blobId,
			stored,
			method: 'PUT',
			url: `${origin}/local/v1/blobs/${grant.blobId}?${await this.#signer.sign(grant)}`,
			headers: {'content-type': 'application/octet-stream'},
			expires_at: new Date(grant.expires * 1000).toISOString(),
		};
	}

	/**
	 * Takes a blob in.
	 *
	 * @param announced the request's content-length, where it has one
	 * @throws {HttpProblem} 400, 413 and 422 for the content, 507 and 500 for the disk
	 */
	async put(
		{blobId, length, uploadId}: BlobGrant,
		announced: number | undefined,
		body: AsyncIterable<Uint8Array>,
	): Promise<{stored: BlobStored; isNew: boolean}> {
		if (announced !== undefined && announced !== length) {
			throw new HttpProblem(
				announced > length ? 413 : 400,
				`Blob ${blobId} was prepared with ${length} bytes, and the request has ${announced}.`,
			);
		}
		const end = this.#options.transfers.begin(uploadId);
		const release = await this.#options.blobs.claims.claim([blobId]);
		try {
			const outcome = await this.#options.blobs.put({blobId, length}, body);
			const stored = {blob_id: blobId, content_length: length};
			this.#note(uploadId, [stored]);
			return {stored, isNew: outcome === 'created'};
		} finally {
			release();
			end();
		}
	}

	/**
	 * What a target's address grants.
	 *
	 * @param query what the address holds
	 * @throws {HttpProblem} 403 for the signature, 507 and 500 for the disk
	 */
	async granted(blobId: string, query: URLSearchParams): Promise<BlobGrant> {
		try {
			return await this.#signer.verify(blobId, query, this.#now());
		} catch (error) {
			throw storageProblem(error, 'The key that signs targets', this.#options.lakeFolder);
		}
	}

	#staging(uploadId: string): Upload {
		const upload = requireUpload(this.#options.uploads, uploadId);
		if (upload.state === 'staging') return upload;
		throw isOver(upload, upload.state === 'committed' ? 'was committed' : 'was cancelled');
	}

	/** Notes how far an upload has come. A blob that is stored is stored, whether or not that can be noted. */
	#note(uploadId: string | undefined, blobs: readonly ManifestBlob[]): void {
		if (uploadId === undefined) return;
		try {
			this.#options.uploads.stored(uploadId, blobs, this.#now());
		} catch (error) {
			if (storageSentence(error, '', '') === undefined) throw error;
		}
	}
}
