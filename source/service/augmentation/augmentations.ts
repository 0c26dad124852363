import type {DatabaseSync} from 'node:sqlite';
import type {ConcurrencyLimit} from '../../concurrency.ts';
import type {ServiceEventData} from '../../contract/service-events.ts';
import type {Activity} from '../host/activity.ts';
import type {Announce} from '../host/announce.ts';
import type {Log} from '../host/log.ts';
import type {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {JobLinks} from '../jobs/records/job-links.ts';
import type {LakeEngine} from '../lake/engine.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {ChildBounds} from '../workers/bounded-child.ts';
import {currentPhase} from './augmentation.ts';
import {AugmentationRunner} from './augmentation-runner.ts';
import {AugmentationService} from './augmentation-service.ts';
import {AugmentationStore} from './augmentation-store.ts';

type AugmentationParts = {
	readonly lakeFolder: string;
	readonly database: DatabaseSync;
	readonly lake: LakeEngine;
	readonly ingests: IngestStore;
	readonly supervisor: IngestSupervisor;
	readonly links: JobLinks;
	readonly slots: ConcurrencyLimit;
	readonly bounds: ChildBounds;
	readonly activity: Activity;
	readonly announce: Announce;
	readonly log: Log;
};

/** Datasets made of others: orders, their work, and what is known of them. */
export type Augmentations = {
	readonly store: AugmentationStore;
	readonly service: AugmentationService;
	readonly runner: AugmentationRunner;
};

/** Sets up what works on augmentations; what an earlier service left is taken up by `runner.resume()`. */
export function openAugmentations(parts: AugmentationParts): Augmentations {
	const store = new AugmentationStore(parts.database, job => {
		const data: ServiceEventData<'job.phase'> = {
			job_id: job.jobId,
			status: job.status,
			phase: currentPhase(job),
		};
		parts.announce({name: 'job.phase', data});
	});
	const runner = new AugmentationRunner({...parts, store});
	return {store, runner, service: new AugmentationService({...parts, store, runner})};
}
