import type {JobEntry} from './job-entry.ts';
import {stuckFor, type UsualTimes} from './stuck.ts';

/** Whether something went wrong with a job: it failed, was tried again, or is probably stuck. */
export function hasFault(job: JobEntry, usual: UsualTimes, now: number): boolean {
	if (
		job.status === 'failed' ||
		job.timings.some(({retries, status}) => retries > 0 || status === 'failed')
	) {
		return true;
	}
	return stuckFor(job, usual, now) !== undefined;
}
