import type {Explorer} from '../store/explorer.ts';
import {hasEnded} from '../store/jobs/job-entry.ts';
import {preparations} from '../store/preparation.ts';

/** What an embedded service is at, as far as its explorer knows: the sample, ingests, jobs. */
export function goingOn({local, jobs}: Pick<Explorer, 'local' | 'jobs'>): readonly string[] {
	const known = local.known.getState();
	if (known.document === undefined) return [];
	const running = jobs.known.getState().jobs.filter(job => job.status !== undefined && !hasEnded(job));
	return [
		...preparations(known).map(({subject}) => subject),
		...running.map(({name, id}) => `the job ${name ?? id}`),
	];
}
