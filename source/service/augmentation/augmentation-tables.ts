/** The tables of the operations file that hold augmentations, and what each reserved, used and was given back. */
export const augmentationTables = `
	CREATE TABLE IF NOT EXISTS augmentations (
		job_id TEXT PRIMARY KEY,
		dataset_id TEXT NOT NULL,
		name TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at TEXT NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS augmentations_by_status ON augmentations (status, created_at);
	CREATE INDEX IF NOT EXISTS augmentations_by_dataset ON augmentations (dataset_id, status);
	CREATE TABLE IF NOT EXISTS augmentation_credits (
		job_id TEXT PRIMARY KEY REFERENCES augmentations,
		reserved INTEGER NOT NULL CHECK (reserved >= 0),
		used INTEGER NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND reserved),
		returned INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0 AND used + returned <= reserved),
		finalized_at TEXT
	) STRICT;
`;
