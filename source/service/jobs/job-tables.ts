/** The tables of the operations file that hold projects, jobs, the models they made, and what they took in. */
export const jobTables = `
	CREATE TABLE IF NOT EXISTS projects (
		project_id TEXT PRIMARY KEY,
		name TEXT NOT NULL UNIQUE,
		description TEXT,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE TABLE IF NOT EXISTS jobs (
		job_id TEXT PRIMARY KEY,
		project_id TEXT NOT NULL REFERENCES projects,
		name TEXT NOT NULL,
		status TEXT NOT NULL,
		queued_at TEXT NOT NULL,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, queued_at);
	CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created_at, job_id);
	CREATE INDEX IF NOT EXISTS jobs_by_project ON jobs (project_id);
	CREATE TABLE IF NOT EXISTS models (
		artifact_id TEXT PRIMARY KEY,
		job_id TEXT NOT NULL UNIQUE,
		subtype TEXT NOT NULL,
		name TEXT NOT NULL,
		path TEXT NOT NULL,
		metadata TEXT NOT NULL,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS models_by_age ON models (created_at, artifact_id);
	CREATE TABLE IF NOT EXISTS job_links (
		artifact_id TEXT NOT NULL,
		job_id TEXT NOT NULL,
		project_id TEXT,
		direction TEXT NOT NULL,
		PRIMARY KEY (artifact_id, job_id, direction)
	) STRICT;
	CREATE INDEX IF NOT EXISTS job_links_by_job ON job_links (job_id);
`;
