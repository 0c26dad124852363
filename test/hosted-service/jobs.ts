import {dateAfter} from './artifacts.ts';
import {identity} from './identity.ts';

export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** Job status, of fine-tuning and of augmentation alike (section 2.9). */
export type JobStatus = {
	job_id: string;
	current_phase: string;
	status: JobState;
	phases?: Array<{
		name: string;
		status: 'pending' | 'in_progress' | 'completed' | 'failed';
		events?: Array<{timestamp: string; retry_attempt?: number}>;
	}>;
};

/** Job item of the listing (section 2.6). */
export type JobItem = {job_id: string; project_id: string; use_rabc?: boolean};

export const firstProject = identity('project', 0, 0);

const phaseNames = ['provisioning', 'training', 'uploading'];

/** A job whose phases before the current one are over; it moves only when a test moves it. */
export function jobAt(job_id: string, status: JobState, current: number): JobStatus {
	const ended = status === 'completed' ? 'completed' : 'failed';
	const isLive = status === 'running' || status === 'queued';
	return {
		job_id,
		current_phase: phaseNames[current] ?? 'provisioning',
		status,
		phases: phaseNames.slice(0, current + 1).map((name, position) => ({
			name,
			status: position < current ? 'completed' : isLive ? 'in_progress' : ended,
			events: [{timestamp: dateAfter(70 + position / 24), ...(position === 1 ? {retry_attempt: 1} : {})}],
		})),
	};
}

export const someJobs = (): JobStatus[] => [
	jobAt(identity('job', 0, 0), 'running', 1),
	jobAt(identity('job', 1, 0), 'completed', 2),
	jobAt(identity('job', 2, 0), 'failed', 1),
];

export const someAugmentations = (): JobStatus[] => [
	jobAt(identity('job', 0, 1), 'running', 1),
	jobAt(identity('job', 1, 1), 'completed', 2),
];
