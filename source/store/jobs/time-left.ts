import {hasEnded, type JobEntry, momentOf} from './job-entry.ts';

/** The time that a job still needs, in seconds. */
type TimeLeft = {
	/** Until its hours are over; below 0 where they are. */
	readonly ofHours: number | undefined;
	/** Until its last step, at the rate of the last ones. */
	readonly ofSteps: number | undefined;
};

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const moment = (value: unknown) => (typeof value === 'string' ? momentOf(value) : undefined);

/** When a job's work began: what it tells itself, or else its first event. */
function beganAt({fields, timings}: JobEntry): number | undefined {
	return moment(fields.started_at) ?? timings.find(({startedAt}) => startedAt !== undefined)?.startedAt;
}

/** How long a running job may still take, by its hours and by its steps, as far as its fields tell. */
export function timeLeft(job: JobEntry, now: number): TimeLeft {
	if (hasEnded(job)) return {ofHours: undefined, ofSteps: undefined};
	const {fields, launch} = job;
	const hours = number(fields.hours) ?? launch?.hours;
	const began = beganAt(job);
	const deadline =
		moment(fields.deadline_at) ??
		(began === undefined || hours === undefined ? undefined : began + hours * 3_600_000);
	const [step, steps, rate] = [number(fields.step), number(fields.steps), number(fields.steps_per_second)];
	const isSteady = step !== undefined && steps !== undefined && rate !== undefined && rate > 0;
	return {
		ofHours: deadline === undefined ? undefined : (deadline - now) / 1000,
		ofSteps: isSteady ? Math.max(0, steps - step) / rate : undefined,
	};
}
