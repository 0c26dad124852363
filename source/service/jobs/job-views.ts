import type {LocalJob} from '../../contract/local-jobs.ts';
import type {OwnJobItem} from '../../contract/own-lists.ts';
import {isRehearsal, type Job, toldStatus} from './records/job.ts';
import type {Model} from './records/model-store.ts';
import {currentPhase} from './records/phases.ts';
import {datasetPath} from './rules/training-dataset.ts';

/** Of a training in a queue: where it stands too. */
const messageOf = ({message, standing}: Job) =>
	standing ? [message, standing.words].filter(Boolean).join(' ') : message;

/** Section 2.9, with the phases' notes, and whether it is a rehearsal. */
export function statusOf(job: Job) {
	return {
		job_id: job.jobId,
		current_phase: currentPhase(job.phases),
		status: toldStatus(job),
		phases: [...job.phases],
		rehearsal: isRehearsal(job),
		message: messageOf(job),
	};
}

/** Section 2.6, with the fields that are lakescope's own. */
export function itemOf(job: Job): OwnJobItem {
	const {order, progress} = job;
	return {
		job_id: job.jobId,
		project_id: job.projectId,
		use_rabc: order.use_rabc ?? false,
		name: job.name,
		vla_type: order.vla_type,
		model_id: order.model_id ?? null,
		dataset_id: job.datasetId,
		dataset_path: datasetPath(job.datasetName),
		hours: order.hours,
		batch_size: order.batch_size,
		status: toldStatus(job),
		current_phase: currentPhase(job.phases),
		rehearsal: isRehearsal(job),
		message: messageOf(job),
		step: progress?.step ?? null,
		step_at: progress?.at ?? null,
		steps: job.steps,
		steps_per_second: progress?.stepsPerSecond ?? null,
		created_at: job.createdAt,
		updated_at: job.updatedAt,
		started_at: job.startedAt,
		ended_at: job.endedAt,
	};
}

/** All that is known of a job, for `/local/v1/jobs/{job_id}`. */
export function localJobOf(
	job: Job,
	log: {readonly path: string; readonly size: number},
	model: Model | undefined,
	pid: number | null,
): LocalJob {
	return {
		...itemOf(job),
		phases: [...job.phases],
		request: {...job.order},
		retries: job.retries,
		deadline_at: job.deadlineAt,
		loss: job.progress?.loss ?? null,
		checkpoint: job.checkpoint,
		model: model ? {artifact_id: model.artifactId, path: model.path} : null,
		command: [...job.command],
		pid,
		standing: job.standing ? {...job.standing} : null,
		log,
	};
}
