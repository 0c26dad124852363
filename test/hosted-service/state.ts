import {type Artifact, datasetsOf, someModels} from './artifacts.ts';
import {EventHub} from './events.ts';
import {Explorer} from './explore.ts';
import {identity} from './identity.ts';
import {firstProject, type JobItem, type JobStatus, someAugmentations, someJobs} from './jobs.ts';
import type {Lake} from './lake.ts';

/** Re-ingest status (section 2.8). */
export type SyncStatus = {
	phase: string;
	done: boolean;
	message?: string;
	progress_json?: string;
	dataset_version_id?: string;
	generation?: number;
	episode_count?: number;
	total_frames?: number | bigint;
};

/** An entry of the upload feed: its phase, when it was made, and through when it was dismissed. */
export type Upload = {phase: string; entry_unix: number; dismissed_through_unix: number};

/** Where a blob may be sent. */
export type UploadTarget = {
	blob_id: string;
	envelope_sha256: string;
	content_length: number;
	expires_at: number;
	received?: Buffer;
};

/** All that the service knows of its one account. */
export class ServiceState {
	explorer: Explorer;
	datasets: Artifact[];
	models: Artifact[] = someModels();
	jobItems: JobItem[];
	readonly account = identity('account', 1, 0);
	readonly jobs = new Map<string, JobStatus>(someJobs().map(job => [job.job_id, job]));
	readonly augmentations = new Map<string, JobStatus>(someAugmentations().map(job => [job.job_id, job]));
	readonly projects = new Map<string, string>([[firstProject, 'folding']]);
	readonly definitions = new Map<string, unknown>([
		[identity('definition', 0, 0), {name: 'good folds', filter: {tiers: ['retrainable']}}],
	]);
	readonly syncs = new Map<string, SyncStatus>();
	readonly uploads = new Map<string, Upload>();
	readonly targets = new Map<string, UploadTarget>();
	readonly events = new EventHub();

	constructor(lake: Lake) {
		this.explorer = new Explorer(lake);
		this.datasets = datasetsOf(lake);
		this.jobItems = [...this.jobs.keys()].map((job_id, position) => ({
			job_id,
			project_id: firstProject,
			use_rabc: position === 1,
		}));
	}

	setLake(lake: Lake): void {
		this.explorer = new Explorer(lake);
		this.datasets = datasetsOf(lake);
	}
}
