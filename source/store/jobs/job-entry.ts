import type {JobStatusResponse} from '../../contract/job-status.ts';
import {ends, type PhaseTiming, timingsOf} from '../job-timing.ts';
import type {Launch} from '../remembered/remembered-state.ts';

export type JobKind = 'fine-tune' | 'augmentation';

/** A job, as far as it is known: from the listing, and from its own status. */
export type JobEntry = {
	readonly id: string;
	readonly kind: JobKind | undefined;
	readonly name: string | undefined;
	readonly projectId: string | undefined;
	/** As it came, known or not. */
	readonly status: string | undefined;
	readonly phase: string | undefined;
	/** What was said when it was launched from here; undefined where it was not. */
	readonly launch: Launch | undefined;
	readonly timings: readonly PhaseTiming[];
	/** Everything that came, the documented fields among it. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Why its status is not known. */
	readonly trouble: string | undefined;
};

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What a job without a name was launched as: `act on cups`. */
function launchedAs(launch: Launch | undefined): string | undefined {
	const type = textOf(launch?.request?.vla_type);
	const dataset = launch?.dataset?.split('/').at(-1);
	return type === undefined || dataset === undefined ? undefined : `${type} on ${dataset}`;
}

/** Puts together what the listing and the status of a job say; the status is newer. */
export function jobEntry(
	id: string,
	{
		kind,
		item = {},
		status,
		launch,
		trouble,
	}: {
		kind: JobKind | undefined;
		item?: Readonly<Record<string, unknown>> | undefined;
		status?: JobStatusResponse | undefined;
		launch?: Launch | undefined;
		trouble?: string | undefined;
	},
): JobEntry {
	const told = status?.status ?? textOf(item.status);
	const {vla_type, project_id, hours} = launch?.request ?? {};
	// What a service does not tell of a job that was launched from here is known all the same.
	const fields: Readonly<Record<string, unknown>> = {
		...(launch?.request !== undefined && {vla_type, project_id, hours}),
		...item,
		...status,
	};
	return {
		id,
		kind,
		name: textOf(fields.name) ?? textOf(fields.job_name) ?? launch?.name ?? launchedAs(launch),
		projectId: textOf(fields.project_id),
		status: told,
		phase: status?.current_phase ?? textOf(item.current_phase) ?? textOf(item.phase),
		launch,
		timings: timingsOf({phases: status?.phases, ...(told !== undefined && {status: told})}),
		fields,
		trouble,
	};
}

/** Whether a job has ended, as far as is known; a status that nobody knows may lead anywhere. */
export function hasEnded({status}: Pick<JobEntry, 'status'>): boolean {
	return status !== undefined && ends.has(status);
}

/** How long a phase took, or has taken so far, in seconds; undefined where its events don't tell. */
export function phaseSeconds({startedAt, endedAt, status}: PhaseTiming, now: number): number | undefined {
	if (startedAt === undefined) return undefined;
	if (endedAt !== undefined) return Math.max(0, endedAt - startedAt) / 1000;
	// The service's clock may be ahead of this one.
	return status === 'in_progress' ? Math.max(0, now - startedAt) / 1000 : undefined;
}

/** The phase that a job is in; undefined where none runs, or nobody says. */
export function currentTiming({timings, phase}: JobEntry): PhaseTiming | undefined {
	return (
		timings.findLast(({status}) => status === 'in_progress') ?? timings.findLast(({name}) => name === phase)
	);
}

/** How long the current phase has lasted, or how long the whole job took; in seconds. */
export function lastedSeconds(job: JobEntry, now: number): number | undefined {
	if (!hasEnded(job)) {
		const current = currentTiming(job);
		return current && phaseSeconds(current, now);
	}
	const starts = job.timings.flatMap(({startedAt}) => startedAt ?? []);
	const ended = job.timings.flatMap(({startedAt, endedAt}) => endedAt ?? startedAt ?? []);
	return starts.length === 0 ? undefined : Math.max(0, Math.max(...ended) - Math.min(...starts)) / 1000;
}
