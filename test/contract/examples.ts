const uuid = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';

/** A lake episode (2.1) with every documented field. */
export const episode = {
	episode_id: uuid,
	dataset_id: uuid,
	dataset_name: 'cups-01',
	episode_index: 7,
	task: 'stack the cups',
	tier: 'retrainable',
	frame_count: 300,
	duration_seconds: 10,
	quality_score: 0.75,
	thumb_url: 'https://thumbs.example/7.jpg',
	interface_hash: 'so101-30hz',
	tags: ['night'],
	review_state: 'unreviewed',
	metrics: {sparc: -5.2},
	dataset_version_id: uuid,
	parent_episode_id: uuid,
	parent_episode_index: 3,
	member_ordinal: 1,
	episode_revision_id: 'a'.repeat(64),
};

/** A row of evidence (2.2). */
export const evidence = {
	predicate_index: 0,
	stream: 'action',
	channel: 'gripper.pos',
	agg: 'max',
	op: 'gt',
	threshold: 50,
	observed_value: 62.5,
	native_channel: 'action.gripper.pos',
	native_index: 5,
};

/** Facets (2.3) with every documented field. */
export const facets = {
	by_task: [{value: 'stack the cups', count: 4}],
	by_tier: [{value: '', count: 4}],
	by_interface_hash: [{value: 'so101-30hz', count: 4}],
	by_marker_signature: [{value: 'reach > grasp', count: 1}],
	by_task_total_values: 1,
	by_tier_total_values: 1,
	by_interface_hash_total_values: 1,
	by_marker_signature_total_values: 1,
	marker_signature_unknown: 3,
};

/** An explore response (4.1). */
export const exploreAnswer = {
	episodes: [episode],
	channel_predicate_evidence: [evidence],
	total: 4,
	total_frames: 1200,
	total_duration_seconds: 40,
	facets,
	page_limit: 50,
	page_offset: 0,
};

/** A dataset or model item (2.4, 2.5). */
export const artifact = {
	artifact_id: uuid,
	subtype: 'lerobot_v3',
	path: 'acme/cups-01',
	metadata: {fps: 30},
	jobs: [{job_id: uuid, direction: 'input'}],
	created_at: '2025-01-06T09:00:00Z',
	updated_at: '2025-01-06T10:00:00.25+01:00',
};

/** A job status (2.9). */
export const job = {
	job_id: uuid,
	current_phase: 'training',
	status: 'running',
	phases: [
		{
			name: 'training',
			status: 'in_progress',
			events: [{timestamp: '2025-01-06T09:00:00Z', retry_attempt: 1}],
		},
	],
};

export const someUuid = uuid;
