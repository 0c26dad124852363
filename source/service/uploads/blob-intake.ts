import type * as z from 'zod';
import type {
	BlobStored,
	ManifestBlob,
	PrepareBatchResponse,
	UploadTarget,
} from '../../contract/local-uploads.ts';
import type {prepareBatchRequest} from '../../contract/uploads.ts';
import {Refusal} from '../host/refusal.ts';
import {type BlobGrant, BlobSigner} from './blob-signature.ts';
import type {BlobStore} from './blob-store.ts';
import {isOver, requireUpload} from './refusals.ts';
import {storageProblem, storageSentence} from './storage-problem.ts';
import type {Transfers} from './transfers.ts';
import type {UploadRoom} from './upload-room.ts';
import type {Upload, UploadStore} from './upload-store.ts';

type BlobIntakeOptions = {
	readonly lakeFolder: string;
	readonly uploads: UploadStore;
	readonly blobs: BlobStore;
	readonly transfers: Transfers;
	readonly room: UploadRoom;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

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
	 * @throws {Refusal} `absent` and `conflict` for an upload that is not there or is over
	 */
	async prepare(
		{blobs, ttl_seconds}: z.output<typeof prepareBatchRequest>,
		uploadId: string | undefined,
		origin: string,
	): Promise<PrepareBatchResponse> {
		const upload = uploadId === undefined ? undefined : this.#staging(uploadId);
		this.#options.transfers.moved(upload?.uploadId);
		const expires = Math.floor(this.#now() / 1000) + ttl_seconds;
		const targets: UploadTarget[] = [];
		const release = await this.#options.blobs.claims.claim(blobs.map(({blob_id}) => blob_id));
		try {
			const held: ManifestBlob[] = [];
			for (const {blob_id: blobId, envelope_sha256, content_length: length} of blobs) {
				const envelope = envelope_sha256 === blobId ? undefined : envelope_sha256;
				const content = await this.#options.blobs.lengthOf(blobId);
				// The content of an envelope may have any length.
				const isHeld = content !== undefined && (envelope !== undefined || content === length);
				if (isHeld) {
					await this.#options.blobs.renew(blobId);
					held.push({blob_id: blobId, content_length: content});
				}
				const isKept =
					envelope !== undefined && (await this.#options.blobs.holdsEnvelope({blobId, length, envelope}));
				const grant = {blobId, length, envelope, expires, uploadId: upload?.uploadId};
				targets.push(await this.#target(grant, isHeld || isKept, origin));
			}
			const coming = blobs.filter((_, index) => !targets[index]?.stored);
			const lengths = new Map(coming.map(({blob_id, content_length}) => [blob_id, content_length]));
			await this.#options.room.require([...lengths.values()].reduce((sum, length) => sum + length, 0));
			this.#note(upload?.uploadId, held);
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
	 * Stores a blob.
	 *
	 * @param announced the request's content-length, where it has one
	 * @throws {Refusal} `malformed`, `too-large` and `invalid` for the content, `no-room` and `failed` for the disk
	 */
	async put(
		{blobId, length, envelope, uploadId}: BlobGrant,
		announced: number | undefined,
		body: AsyncIterable<Uint8Array>,
	): Promise<{stored: BlobStored; isNew: boolean}> {
		if (announced !== undefined && announced !== length) {
			throw new Refusal(
				announced > length ? 'too-large' : 'malformed',
				`Blob ${blobId} was prepared with ${length} bytes, and the request has ${announced}.`,
			);
		}
		const end = this.#options.transfers.begin(uploadId);
		const release = await this.#options.blobs.claims.claim([blobId]);
		try {
			const {blobs, room} = this.#options;
			const stored = {blob_id: blobId, content_length: length};
			if (envelope === undefined) {
				const outcome = await room.during(blobId, length, () => blobs.put({blobId, length}, body));
				this.#note(uploadId, [stored]);
				return {stored, isNew: outcome === 'created'};
			}
			const put = await room.during(blobId, length, () =>
				blobs.putEnvelope({blobId, length, envelope}, body),
			);
			const isOpened = put.kind === 'opened';
			if (isOpened) this.#note(uploadId, [{blob_id: blobId, content_length: put.length}]);
			return {stored: {...stored, verified: isOpened}, isNew: put.outcome === 'created'};
		} finally {
			release();
			end();
		}
	}

	/**
	 * Reads the rights that a target's address grants.
	 *
	 * @param query what the address holds
	 * @throws {Refusal} `forbidden` for the signature, `no-room` and `failed` for the disk
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
