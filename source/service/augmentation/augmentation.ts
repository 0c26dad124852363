import type {IngestProblem} from '../../contract/local.ts';
import {
	type AugmentationPhase,
	type AugmentationProgress,
	type AugmentationRecord,
	type AugmentationSummary,
	augmentationPhases,
	type CreditLedger,
	type OwnAugmentationStatus,
} from '../../contract/local-augmentations.ts';
import type {LocalJobPhase, LocalPhaseEvent} from '../../contract/local-jobs.ts';
import type {JobStatus} from '../../contract/vocabulary.ts';

/** One augmentation as the operations file keeps it. Times are ISO 8601 in UTC. */
export type Augmentation = {
	readonly jobId: string;
	/** The parent, and its root when the job was ordered. */
	readonly datasetId: string;
	readonly datasetName: string;
	readonly datasetFolder: string;
	/** The new dataset's name and root. */
	readonly name: string;
	readonly target: string;
	/** The place of the new episodes among the children of their parents. */
	readonly ordinal: number;
	/** Indices of the rejected episodes that are left out; undefined in a record of an older version. */
	readonly leftOut?: readonly number[];
	readonly status: JobStatus;
	readonly phases: readonly LocalJobPhase[];
	readonly message: string | null;
	/** How often the trimming was begun. */
	readonly attempts: number;
	readonly progress: AugmentationProgress | null;
	readonly summary: AugmentationSummary | null;
	readonly operationId: string | null;
	readonly augmentedDatasetId: string | null;
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	readonly createdAt: string;
	readonly updatedAt: string;
	readonly endedAt: string | null;
};

export const isOver = ({status}: Pick<Augmentation, 'status'>): boolean =>
	status !== 'queued' && status !== 'running';

type Phases = Augmentation['phases'];

export const pendingPhases = (): Phases =>
	augmentationPhases.map(name => ({name, status: 'pending', events: []}));

/** The last phase that has begun, or the first. */
export function currentPhase({phases}: Pick<Augmentation, 'phases'>): AugmentationPhase {
	const begun = phases.findLastIndex(({status}) => status !== 'pending');
	return augmentationPhases[Math.max(0, begun)] ?? 'trimming';
}

/** A phase begins, again where it is not the first time; those before it are over. */
export function beginPhase(phases: Phases, phase: AugmentationPhase, event: LocalPhaseEvent): Phases {
	const at = augmentationPhases.indexOf(phase);
	return phases.map((each, position) => {
		if (position < at && each.status === 'completed') return each;
		if (position < at) {
			return {...each, status: 'completed', events: [...each.events, {timestamp: event.timestamp}]};
		}
		return position === at
			? {...each, status: 'in_progress', events: [...each.events, event]}
			: {...each, status: 'pending'};
	});
}

/** The job ends in the phase that it is in. One that never began stays pending. */
export function endPhase(phases: Phases, status: 'completed' | 'failed', event: LocalPhaseEvent): Phases {
	return phases.map(each =>
		each.status === 'in_progress' ? {...each, status, events: [...each.events, event]} : each,
	);
}

/** Section 2.9, with what is the embedded service's own. */
export function statusOf(job: Augmentation, credits: CreditLedger): OwnAugmentationStatus {
	return {
		job_id: job.jobId,
		current_phase: currentPhase(job),
		status: job.status,
		phases: [...job.phases],
		augmented_dataset_id: job.augmentedDatasetId,
		message: job.message,
		credits,
	};
}

/** All that is known of an augmentation. */
export function recordOf(job: Augmentation, credits: CreditLedger): AugmentationRecord {
	return {
		...statusOf(job, credits),
		dataset_id: job.datasetId,
		dataset_path: `local/${job.datasetName}`,
		name: job.name,
		rejected_left_out: job.leftOut?.length ?? 0,
		progress: job.progress,
		summary: job.summary,
		operation_id: job.operationId,
		problems: [...job.problems],
		problem_count: job.problemCount,
		created_at: job.createdAt,
		updated_at: job.updatedAt,
		ended_at: job.endedAt,
	};
}
