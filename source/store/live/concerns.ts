import {type EventHint, namesSomething} from '../../client/events/event-hint.ts';

/** Which parts of what is known an event may have made old. */
export type Concerns = {readonly lake: boolean; readonly uploads: boolean; readonly jobs: boolean};

const all: Concerns = {lake: true, uploads: true, jobs: true};

/** Phases in which nothing has reached the lake yet; an unknown one may mean anything. */
const onTheWay: ReadonlySet<string> = new Set(['staging', 'queued', 'preparing', 'publishing', 'running']);

/** Reads from an event what to fetch again; one that says nothing is a hint to look at everything. */
export function concernsOf(hint: EventHint): Concerns {
	if (!namesSomething(hint)) return all;
	const {jobs, operations, uploads, datasets, repos, others, phase, status} = hint;
	// An id under a name that says nothing may be anybody's.
	if ([jobs, operations, uploads, datasets, repos].every(ids => ids.length === 0) && others.length > 0) {
		return all;
	}
	const ofUploads = operations.length + uploads.length + repos.length > 0;
	const ofDatasets = ofUploads || datasets.length > 0;
	const ofJobs = jobs.length > 0;
	// What a job is at does not change the lake; the ingest of its result tells of itself.
	const isOnTheWay = onTheWay.has(phase ?? status ?? '');
	return {lake: ofDatasets && !ofJobs && !isOnTheWay, uploads: ofDatasets, jobs: ofJobs};
}
