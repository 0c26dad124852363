import {ConcurrencyLimit} from '../../concurrency.ts';
import type {CommitResponse, ManifestFile, UploadRequest} from '../../contract/local-uploads.ts';
import {Refusal} from '../host/refusal.ts';
import type {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {IngestOperation} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {BlobStore} from './blob-store.ts';
import {blobsOf, bytesOf, manifestIssues, revisionOf} from './manifest.ts';
import {isOver, nameTaken, requireUpload, writeDown} from './refusals.ts';
import type {Transfers} from './transfers.ts';
import type {Upload, UploadStore} from './upload-store.ts';
import type {UploadedDatasets} from './uploaded-datasets.ts';

type UploadsOptions = {
	readonly lakeFolder: string;
	readonly uploads: UploadStore;
	readonly ingests: IngestStore;
	readonly blobs: BlobStore;
	readonly datasets: UploadedDatasets;
	readonly transfers: Transfers;
	readonly supervisor: Pick<IngestSupervisor, 'dispatch' | 'holderOf'>;
	/** Called after an upload entered a phase of its own. */
	readonly onPhase: (upload: Upload) => void;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/** A commit's answer: what it dispatched, or the blobs that it misses. */
type Commit =
	| {readonly kind: 'committed'; readonly response: CommitResponse}
	| {
			readonly kind: 'missing';
			readonly missing: readonly string[];
			/** Those of them that came in envelopes that were not opened. */
			readonly closed: readonly string[];
	  };

/** How many blobs are looked up at once. */
const lookups = 16;

/** Starts, commits and cancels uploads (`/local/v1/uploads`). */
export class Uploads {
	readonly #options: UploadsOptions;
	readonly #now: () => number;

	constructor(options: UploadsOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	/**
	 * Starts an upload, or goes on with the one of this name and folder that is staging.
	 *
	 * @throws {Refusal} `conflict` for a name that a dataset of another source has
	 */
	async start(request: UploadRequest): Promise<{upload: Upload; isNew: boolean}> {
		const {lakeFolder, uploads, supervisor, datasets, transfers, onPhase} = this.#options;
		const name = request.dataset_name;
		const holder = await supervisor.holderOf(name, folder => datasets.holds(name, folder));
		if (holder !== undefined) throw nameTaken(name, holder);
		const started = writeDown(lakeFolder, `The upload of ${name}`, () => uploads.start(request, this.#now()));
		transfers.moved(started.upload.uploadId);
		if (started.isNew) onPhase(started.upload);
		return started;
	}

	/**
	 * Commits an upload: every file of its dataset, by its blobs. The same manifest again is answered the same.
	 *
	 * @throws {Refusal} `absent`, `conflict` for an upload that is over or whose name another has, `invalid` for the manifest
	 */
	async commit(uploadId: string, manifest: readonly ManifestFile[]): Promise<Commit> {
		const issues = manifestIssues(manifest);
		if (issues.length > 0) throw new Refusal('invalid', issues);
		const revision = revisionOf(manifest);
		const upload = requireUpload(this.#options.uploads, uploadId);
		if (upload.state !== 'staging') return committed(this.#over(upload, revision), revision);
		this.#options.transfers.moved(uploadId);
		// From here on none of them is removed until the commit refers to them.
		const release = await this.#options.blobs.claims.claim(blobsOf(manifest).map(({blob_id}) => blob_id));
		try {
			const missing = await this.#missing(manifest);
			if (missing.length > 0) return {kind: 'missing', missing, closed: await this.#closed(missing)};
			return await this.#dispatch(upload, manifest, revision);
		} finally {
			release();
		}
	}

	async #dispatch(upload: Upload, manifest: readonly ManifestFile[], revision: string): Promise<Commit> {
		const {uploads, datasets, supervisor, transfers, onPhase} = this.#options;
		const {uploadId, datasetName: name} = upload;
		const submission = await supervisor.dispatch({
			name,
			isOwn: folder => datasets.holds(name, folder),
			accept: () => this.#accept(uploadId, manifest, revision),
		});
		if (submission.kind === 'conflict') throw nameTaken(name, submission.folder);
		if (!uploads.isStaging()) transfers.settled();
		const now = requireUpload(uploads, uploadId);
		onPhase(now);
		return committed(now, revision);
	}

	/** Writes a commitment and its operation down together; undefined where an earlier call has done so meanwhile. */
	#accept(
		uploadId: string,
		manifest: readonly ManifestFile[],
		revision: string,
	): IngestOperation | undefined {
		const {lakeFolder, uploads, ingests, datasets} = this.#options;
		const upload = requireUpload(uploads, uploadId);
		if (upload.state !== 'staging') {
			this.#over(upload, revision);
			return undefined;
		}
		const name = upload.datasetName;
		return writeDown(lakeFolder, `The upload of ${name}`, () =>
			uploads.commit(uploadId, {manifest, revision, bytes: bytesOf(manifest)}, this.#now(), () =>
				ingests.create(name, datasets.folderOf(name, revision)),
			),
		);
	}

	/** An upload that is committed with this manifest, and nothing else. */
	#over(upload: Upload, revision: string): Upload {
		if (upload.state === 'cancelled') throw isOver(upload, 'was cancelled');
		if (upload.revision !== revision) throw isOver(upload, 'was committed with another manifest');
		return upload;
	}

	/** The blobs of a manifest that are not stored. */
	async #missing(manifest: readonly ManifestFile[]): Promise<string[]> {
		const missing = new Set<string>();
		const limit = new ConcurrencyLimit(lookups);
		await limit.map(blobsOf(manifest).values(), async ({blob_id, content_length}) => {
			const found = await this.#options.blobs.lengthOf(blob_id);
			if (found === undefined) missing.add(blob_id);
			else if (found !== content_length) {
				const said = `the manifest says ${content_length}`;
				throw new Refusal('invalid', `Blob ${blob_id} has ${found} bytes, and ${said}.`);
			}
		});
		return [...missing].sort();
	}

	async #closed(blobIds: readonly string[]): Promise<string[]> {
		const closed: string[] = [];
		for (const id of blobIds) if (await this.#options.blobs.isClosed(id)) closed.push(id);
		return closed;
	}

	/**
	 * Gives a staging upload up; what was sent for it stays stored for the next.
	 *
	 * @throws {Refusal} `absent`, and `conflict` for one that is committed
	 */
	cancel(uploadId: string): Upload {
		const {lakeFolder, uploads, transfers, onPhase} = this.#options;
		const upload = requireUpload(uploads, uploadId);
		if (upload.state === 'committed') throw isOver(upload, 'was committed: its re-ingest goes on');
		if (upload.state === 'cancelled') return upload;
		const what = `The end of the upload of ${upload.datasetName}`;
		const cancelled = writeDown(lakeFolder, what, () => uploads.cancel(uploadId, this.#now()));
		if (!uploads.isStaging()) transfers.settled();
		onPhase(cancelled);
		return cancelled;
	}
}

function committed({uploadId, repoId, operationId}: Upload, revision: string): Commit {
	if (operationId === null) throw new Error(`upload ${uploadId} is committed without an operation`);
	const response = {upload_id: uploadId, repo_id: repoId, operation_id: operationId, revision};
	return {kind: 'committed', response};
}
