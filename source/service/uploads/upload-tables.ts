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
