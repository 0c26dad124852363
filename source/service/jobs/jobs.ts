import type {DatabaseSync} from 'node:sqlite';
import type {Activity} from '../host/activity.ts';
import type {Announce} from '../host/announce.ts';
import type {Log} from '../host/log.ts';
import type {LakeEngine} from '../lake/engine.ts';
import {FinetuneService} from './finetunes.ts';
import {JobRunner} from './job-runner.ts';
import {isRehearsal, type Job, toldStatus} from './records/job.ts';
import {JobLinks} from './records/job-links.ts';
import {JobStore} from './records/job-store.ts';
import {ModelStore} from './records/model-store.ts';
import {currentPhase} from './records/phases.ts';
import {ProjectStore} from './records/project-store.ts';
import {usualTiming} from './timing.ts';
import type {Trainers} from './trainers/trainer.ts';

export {JobLinks} from './records/job-links.ts';

type JobsParts = {
	readonly lakeFolder: string;
	readonly database: DatabaseSync;
	readonly lake: LakeEngine;
	readonly activity: Activity;
	readonly announce: Announce;
	readonly log: Log;
	readonly trainers: Trainers;
};

/** Projects, fine-tunes, and the models they make. */
export type Jobs = {
	readonly lakeFolder: string;
	readonly projects: ProjectStore;
	readonly store: JobStore;
	readonly models: ModelStore;
	readonly links: JobLinks;
	readonly finetunes: FinetuneService;
	readonly runner: JobRunner;
	readonly trainers: Trainers;
};

function announceJob(announce: Announce, job: Job): void {
	announce({
		name: 'job.phase',
		data: {
			job_id: job.jobId,
			status: toldStatus(job),
			phase: currentPhase(job.phases),
			project_id: job.projectId,
			rehearsal: isRehearsal(job),
		},
	});
}

/** Sets up what works on jobs; nothing runs until `runner.pump()`. */
export function openJobs(parts: JobsParts): Jobs {
	const {lakeFolder, database, lake, activity, announce, log, trainers} = parts;
	const projects = new ProjectStore(database);
	const links = new JobLinks(database);
	const models = new ModelStore(database, links);
	const store = new JobStore(database, job => announceJob(announce, job));
	const runner = new JobRunner({lakeFolder, store, models, activity, log, timing: usualTiming(), trainers});
	const finetunes = new FinetuneService({
		database,
		lake,
		projects,
		jobs: store,
		models,
		links,
		runner,
		trainers,
	});
	return {lakeFolder, projects, store, models, links, finetunes, runner, trainers};
}
