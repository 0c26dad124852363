/** The smallest answers that the interface document allows. */
export const emptyExplore = {
	episodes: [],
	channel_predicate_evidence: [],
	total: 0,
	total_frames: 0,
	total_duration_seconds: 0,
	facets: {
		by_task: [],
		by_tier: [],
		by_interface_hash: [],
		by_task_total_values: 0,
		by_tier_total_values: 0,
		by_interface_hash_total_values: 0,
	},
	page_limit: 50,
	page_offset: 0,
};

export const queued = {phase: 'queued', done: false};

export const emptyList = {items: [], page_info: {has_next: false}};

export const someId = '3f0b1c7e-52c6-4f2a-9d0e-6a1b2c3d4e5f';

export const ingestRecord = {
	operation_id: someId,
	repo_id: someId,
	dataset_name: 'd',
	folder: '/d',
	status: queued,
	problems: [],
	problem_count: 0,
	created_at: '2026-01-01T00:00:00Z',
	updated_at: '2026-01-01T00:00:00Z',
};
