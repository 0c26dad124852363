import {hasEnded, type JobEntry} from '../jobs/job-entry.ts';
import type {UploadEntry} from '../uploads/upload-entry.ts';

/** Work that ended longer ago shows in its own view alone. */
const recentMs = 60 * 60 * 1000;

function endedAt({timings}: JobEntry): number {
	return Math.max(...timings.map(({startedAt, endedAt}) => endedAt ?? startedAt ?? Number.NEGATIVE_INFINITY));
}

/** The uploads that are under way, then those that ended within the hour; what moved last first. */
export function recentUploads(entries: readonly UploadEntry[], now: number): readonly UploadEntry[] {
	const known = entries.filter(({phase, quiet}) => phase !== undefined && !quiet);
	const moving = known.filter(({done}) => !done);
	return [...moving, ...known.filter(({done, updatedAt}) => done && now - updatedAt < recentMs)];
}

/** The jobs that are under way, then those that ended within the hour, newest first. */
export function recentJobs(jobs: readonly JobEntry[], now: number): readonly JobEntry[] {
	const known = jobs.filter(({status}) => status !== undefined);
	const ended = known.filter(job => hasEnded(job) && now - endedAt(job) < recentMs);
	return [...known.filter(job => !hasEnded(job)), ...ended.toSorted((a, b) => endedAt(b) - endedAt(a))];
}
