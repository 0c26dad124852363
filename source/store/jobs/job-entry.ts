import type {JobPhase, JobStatusResponse, PhaseEvent} from '../../contract/job-status.ts';
import type {Launch} from '../state/remembered-state.ts';

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
	/** The launch, if it was launched from here. */
	readonly launch: Launch | undefined;
	readonly timings: readonly PhaseTiming[];
	/** Everything that came, the documented fields among it. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Why its status is not known. */
	readonly trouble: string | undefined;
};

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A name for a job without one, from its launch: `act on cups`. */
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
	// Fields that the service leaves out are known if the job was launched from here.
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

/** True if a job has ended; an unknown status counts as running. */
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

/** The phase that a job is in; undefined if none runs or it is not known. */
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

/** Something that happened in a phase; `at` in milliseconds since 1970, undefined where its time cannot be read. */
type TimedEvent = {
	readonly at: number | undefined;
	/** Undefined or 0 for what is no retry. */
	readonly retry: number | undefined;
	/** As it came, with what the document does not show. */
	readonly event: PhaseEvent;
};

/** When a phase was, as far as its events tell; moments in milliseconds since 1970. */
export type PhaseTiming = {
	readonly name: string;
	readonly status: string;
	readonly startedAt: number | undefined;
	/** Undefined while it runs. */
	readonly endedAt: number | undefined;
	/** How often it was begun again. */
	readonly retries: number;
	readonly events: readonly TimedEvent[];
};

/** A date-time of the interface; one without a zone is UTC, as services that leave it out mean it. */
export function momentOf(dateTime: string): number | undefined {
	const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(dateTime);
	const at = Date.parse(hasZone ? dateTime : `${dateTime}Z`);
	return Number.isNaN(at) ? undefined : at;
}

function eventsOf({events}: JobPhase): readonly TimedEvent[] {
	return (events ?? []).map(event => ({
		at: momentOf(event.timestamp),
		retry: event.retry_attempt ?? undefined,
		event,
	}));
}

const moments = (events: readonly TimedEvent[]) => events.flatMap(({at}) => (at === undefined ? [] : [at]));

/** Statuses of a job that has ended. */
const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

const isRunning = (status: string) => status === 'pending' || status === 'in_progress';

/**
 * When each phase of a job began and ended. A phase that is over ended with its last event, or where it has but one,
 * when the next one began.
 */
export function timingsOf({
	phases,
	status,
}: Pick<JobStatusResponse, 'phases'> & Partial<Pick<JobStatusResponse, 'status'>>): readonly PhaseTiming[] {
	// A phase of what has ended runs no more, whatever the service says of the phase: a cancelled one is often left as it was.
	const isOver = status !== undefined && ends.has(status);
	const timed = (phases ?? []).map(phase => {
		const events = eventsOf(phase);
		return {phase, events, at: moments(events)};
	});
	return timed.map(({phase, events, at}, position) => {
		const startedAt = at.length > 0 ? Math.min(...at) : undefined;
		const last = at.length > 0 ? Math.max(...at) : undefined;
		const next = timed.slice(position + 1).find(later => later.at.length > 0);
		const nextStart = next && Math.min(...next.at);
		const ended = last !== undefined && last !== startedAt ? last : nextStart;
		return {
			name: phase.name,
			status: phase.status,
			startedAt,
			endedAt: isOver ? (ended ?? last) : isRunning(phase.status) ? undefined : ended,
			retries: Math.max(0, ...events.map(({retry}) => retry ?? 0)),
			events,
		};
	});
}
