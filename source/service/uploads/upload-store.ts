import {randomUUID} from 'node:crypto';
import type {DatabaseSync, SQLInputValue, SQLOutputValue} from 'node:sqlite';
import type {ManifestBlob, ManifestFile, UploadRequest} from '../../contract/local-uploads.ts';
import {datasetId} from '../host/identity.ts';
import type {IngestOperation} from '../operations/ingest-operation.ts';
import {inTransaction, withoutSync} from '../operations/transaction.ts';

/** One upload as the operations file keeps it. What becomes of it once committed is its operation's to tell. */
export type Upload = {
	readonly uploadId: string;
	/** The dataset's id, which is also its repo's. */
	readonly repoId: string;
	readonly datasetName: string;
	/** The client's folder. */
	readonly folder: string | null;
	readonly state: 'staging' | 'committed' | 'cancelled';
	readonly bytesStored: number;
	readonly bytesTotal: number | null;
	readonly filesTotal: number | null;
	/** A hash of the committed manifest. */
	readonly revision: string | null;
	readonly operationId: string | null;
	/** In milliseconds since 1970. */
	readonly createdMs: number;
	readonly updatedMs: number;
};

type Row = Record<string, SQLOutputValue>;

const numberOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : Number(value));
const textOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : String(value));

function uploadOf(row: Row): Upload {
	return {
		uploadId: String(row.upload_id),
		repoId: String(row.repo_id),
		datasetName: String(row.dataset_name),
		folder: textOrNull(row.folder),
		state: String(row.state) as Upload['state'],
		bytesStored: Number(row.bytes_stored),
		bytesTotal: numberOrNull(row.bytes_total),
		filesTotal: numberOrNull(row.files_total),
		revision: textOrNull(row.revision),
		operationId: textOrNull(row.operation_id),
		createdMs: Number(row.created_ms),
		updatedMs: Number(row.updated_ms),
	};
}

/** Everything but the manifest, which may be large. */
const columns = `upload_id, repo_id, dataset_name, folder, state, bytes_stored, bytes_total, files_total, revision,
	operation_id, created_ms, updated_ms`;

/** How many uploads the feed goes back, and how many that are staging it holds besides. */
const listed = 500;

/** The facts that a commit stores of its manifest. */
type Commitment = {
	readonly manifest: readonly ManifestFile[];
	readonly revision: string;
	readonly bytes: number;
};

/** The uploads of a lake, past and present. What these functions write is on the disk when they return. */
export class UploadStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Starts an upload, or goes on with the one of this name and folder that is staging. */
	start(request: UploadRequest, nowMs: number): {upload: Upload; isNew: boolean} {
		const {dataset_name, folder = null, total_bytes = null, total_files = null} = request;
		const current = this.#all(
			"WHERE state = 'staging' AND dataset_name = ? AND folder IS ? ORDER BY created_ms DESC LIMIT 1",
			dataset_name,
			folder,
		)[0];
		const uploadId = current?.uploadId ?? randomUUID();
		if (current) {
			this.#run(
				`UPDATE uploads SET bytes_total = coalesce(?, bytes_total), files_total = coalesce(?, files_total),
					updated_ms = ? WHERE upload_id = ?`,
				...[total_bytes, total_files, nowMs, uploadId],
			);
		} else {
			this.#run(
				`INSERT INTO uploads (upload_id, repo_id, dataset_name, folder, state, bytes_total, files_total, created_ms,
					updated_ms) VALUES (?, ?, ?, ?, 'staging', ?, ?, ?, ?)`,
				...[uploadId, datasetId(dataset_name), dataset_name, folder, total_bytes, total_files, nowMs, nowMs],
			);
		}
		return {upload: this.#require(uploadId), isNew: current === undefined};
	}

	get(uploadId: string): Upload | undefined {
		return this.#all('WHERE upload_id = ?', uploadId.toLowerCase())[0];
	}

	/** Newest first: those that are staging, and the others, as many as the feed goes back. */
	list(): Upload[] {
		return this.#all(
			`WHERE upload_id IN (
					SELECT upload_id FROM uploads WHERE state = 'staging' ORDER BY updated_ms DESC, rowid DESC LIMIT ${listed})
				OR upload_id IN (SELECT upload_id FROM uploads ORDER BY updated_ms DESC, rowid DESC LIMIT ${listed})
				ORDER BY updated_ms DESC, rowid DESC`,
		);
	}

	ofRepo(repoId: string): Upload[] {
		return this.#all('WHERE repo_id = ? ORDER BY updated_ms DESC, rowid DESC', repoId.toLowerCase());
	}

	/** The data for a committed upload's operation. */
	manifestOf(operationId: string): ManifestFile[] | undefined {
		const found = this.#database
			.prepare('SELECT manifest FROM uploads WHERE operation_id = ?')
			.get(operationId);
		return found?.manifest == null ? undefined : (JSON.parse(String(found.manifest)) as ManifestFile[]);
	}

	/**
	 * The blobs that something still needs: an upload that is staging, a re-ingest to come, and for the next upload of
	 * the same what was sent last and well.
	 */
	*neededBlobs(): Generator<string, void> {
		const staging = this.#database.prepare(
			"SELECT DISTINCT blob_id FROM upload_blobs JOIN uploads USING (upload_id) WHERE state = 'staging'",
		);
		for (const {blob_id} of staging.iterate()) yield String(blob_id);
		const manifests = this.#database.prepare(
			`SELECT manifest FROM uploads held LEFT JOIN ingests USING (operation_id)
				WHERE manifest IS NOT NULL AND (
					coalesce(phase, '') NOT IN ('finalized', 'failed')
					OR NOT EXISTS (
						SELECT 1 FROM uploads later JOIN ingests took ON took.operation_id = later.operation_id
						WHERE later.repo_id = held.repo_id AND took.phase = 'finalized'
							AND later.updated_ms > held.updated_ms))`,
		);
		for (const {manifest} of manifests.iterate()) {
			for (const {blobs} of JSON.parse(String(manifest)) as ManifestFile[]) {
				for (const {blob_id} of blobs) yield blob_id;
			}
		}
	}

	/** Keeps the files of a repo's ended uploads no longer for it: its dataset is not in the lake any more. */
	dropManifests(repoId: string): void {
		this.#run(
			`UPDATE uploads SET manifest = NULL WHERE repo_id = ? AND operation_id IN (
				SELECT operation_id FROM ingests WHERE phase IN ('finalized', 'failed'))`,
			repoId,
		);
	}

	/** When blobs that nothing needs were last removed, in milliseconds since 1970; 0 where never. */
	collectedMs(): number {
		const found = this.#database.prepare("SELECT value FROM lake WHERE name = 'blobs_collected_ms'").get();
		return Number(found?.value ?? 0);
	}

	collected(nowMs: number): void {
		this.#run(
			`INSERT INTO lake (name, value) VALUES ('blobs_collected_ms', ?)
				ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
			String(nowMs),
		);
	}

	/** The upload that dispatched an operation. */
	ofOperation(operationId: string): Upload | undefined {
		return this.#all('WHERE operation_id = ?', operationId)[0];
	}

	/** Those of these operations that uploads dispatched. */
	dispatched(operationIds: readonly string[]): Set<string> {
		const rows = this.#database
			.prepare('SELECT operation_id FROM uploads WHERE operation_id IN (SELECT value FROM json_each(?))')
			.all(JSON.stringify(operationIds));
		return new Set(rows.map(row => String(row.operation_id)));
	}

	/** True while any upload is staging. */
	isStaging(): boolean {
		return (
			this.#database.prepare("SELECT 1 FROM uploads WHERE state = 'staging' LIMIT 1").get() !== undefined
		);
	}

	/**
	 * Notes that a staging upload moved, and which blobs of it the service now holds, each once. It only tells how far
	 * the upload has come: it does not wait for the disk.
	 */
	stored(uploadId: string, blobs: readonly ManifestBlob[], nowMs: number): void {
		withoutSync(this.#database, () =>
			inTransaction(this.#database, () => {
				const held = this.#database.prepare(
					`INSERT OR IGNORE INTO upload_blobs (upload_id, blob_id)
						SELECT upload_id, ? FROM uploads WHERE upload_id = ? AND state = 'staging'`,
				);
				const fresh = blobs.filter(({blob_id}) => Number(held.run(blob_id, uploadId).changes) > 0);
				this.#run(
					`UPDATE uploads SET bytes_stored = bytes_stored + ?, updated_ms = ?
						WHERE upload_id = ? AND state = 'staging'`,
					...[fresh.reduce((sum, blob) => sum + blob.content_length, 0), nowMs, uploadId],
				);
			}),
		);
	}

	/**
	 * Commits a staging upload together with its ingest operation, in one transaction.
	 *
	 * @param createOperation writes the operation down
	 */
	commit(
		uploadId: string,
		made: Commitment,
		nowMs: number,
		createOperation: () => IngestOperation,
	): IngestOperation {
		return inTransaction(this.#database, () => {
			const operation = createOperation();
			this.#run(
				`UPDATE uploads SET state = 'committed', manifest = ?, revision = ?, operation_id = ?, bytes_stored = ?,
					bytes_total = ?, files_total = ?, updated_ms = ? WHERE upload_id = ?`,
				JSON.stringify(made.manifest),
				...[
					made.revision,
					operation.operationId,
					made.bytes,
					made.bytes,
					made.manifest.length,
					nowMs,
					uploadId,
				],
			);
			this.#run('DELETE FROM upload_blobs WHERE upload_id = ?', uploadId);
			return operation;
		});
	}

	cancel(uploadId: string, nowMs: number): Upload {
		inTransaction(this.#database, () => {
			this.#run(
				"UPDATE uploads SET state = 'cancelled', updated_ms = ? WHERE upload_id = ? AND state = 'staging'",
				nowMs,
				uploadId,
			);
			this.#run('DELETE FROM upload_blobs WHERE upload_id = ?', uploadId);
		});
		return this.#require(uploadId);
	}

	/** The watermarks of all repos that have one. */
	watermarks(): Map<string, number> {
		const rows = this.#database.prepare('SELECT repo_id, through_unix FROM dismissals').all();
		return new Map(rows.map(row => [String(row.repo_id), Number(row.through_unix)]));
	}

	/** Raises a repo's watermark; it never sinks. */
	dismiss(repoId: string, throughUnix: number): void {
		this.#run(
			`INSERT INTO dismissals (repo_id, through_unix) VALUES (?, ?)
				ON CONFLICT (repo_id) DO UPDATE SET through_unix = max(through_unix, excluded.through_unix)`,
			repoId,
			throughUnix,
		);
	}

	#run(sql: string, ...values: SQLInputValue[]): void {
		this.#database.prepare(sql).run(...values);
	}

	#all(where: string, ...values: SQLInputValue[]): Upload[] {
		return this.#database
			.prepare(`SELECT ${columns} FROM uploads ${where}`)
			.all(...values)
			.map(uploadOf);
	}

	#require(uploadId: string): Upload {
		const upload = this.get(uploadId);
		if (!upload) throw new Error(`upload ${uploadId} is not in the operations file`);
		return upload;
	}
}

/** The tables of the operations file that hold uploads, what was sent for each, and what was dismissed of each repo. */
export const uploadTables = `
	CREATE TABLE IF NOT EXISTS uploads (
		upload_id TEXT PRIMARY KEY,
		repo_id TEXT NOT NULL,
		dataset_name TEXT NOT NULL,
		folder TEXT,
		state TEXT NOT NULL,
		bytes_stored INTEGER NOT NULL DEFAULT 0,
		bytes_total INTEGER,
		files_total INTEGER,
		revision TEXT,
		manifest TEXT,
		operation_id TEXT UNIQUE,
		created_ms INTEGER NOT NULL,
		updated_ms INTEGER NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS uploads_by_repo ON uploads (repo_id);
	CREATE INDEX IF NOT EXISTS uploads_by_age ON uploads (updated_ms);
	CREATE TABLE IF NOT EXISTS upload_blobs (
		upload_id TEXT NOT NULL REFERENCES uploads,
		blob_id TEXT NOT NULL,
		PRIMARY KEY (upload_id, blob_id)
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS dismissals (
		repo_id TEXT PRIMARY KEY,
		through_unix INTEGER NOT NULL
	) STRICT;
`;
