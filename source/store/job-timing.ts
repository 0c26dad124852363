import type {JobPhase, JobStatusResponse, PhaseEvent} from '../contract/job-status.ts';

/** Something that happened in a phase; `at` in milliseconds since 1970, undefined where its time cannot be read. */
export type TimedEvent = {
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
export const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

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
