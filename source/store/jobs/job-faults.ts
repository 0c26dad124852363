import type {Transition} from '../state/user-state.ts';
import {currentTiming, hasEnded, type JobEntry, momentOf, phaseSeconds} from './job-entry.ts';

/** The part of the explorer's state that belongs to the list of jobs. */
export type JobsListState = {
	/** Of the jobs, only those with which something went wrong are listed. */
	readonly jobsFaultsOnly: boolean;
};

/** Lists only the jobs with which something went wrong, or all. */
export function jobsNarrowed(jobsFaultsOnly: boolean): Transition<JobsListState> {
	return state => ({...state, jobsFaultsOnly});
}

/** Less than this is never called stuck. */
const patienceSeconds = 600;

/** A phase is long when it takes so many times what it usually takes here. */
const factor = 3;

/** The median seconds of each phase of finished jobs, by type and phase. */
export type UsualTimes = ReadonlyMap<string, number>;

const typeOf = ({kind, fields}: JobEntry) => `${kind ?? ''} ${String(fields.vla_type ?? '')}`;
const nameOf = (job: JobEntry, phase: string) => `${typeOf(job)} ${phase}`;

/** Reads from finished jobs how long each phase usually takes here. */
export function usualTimes(jobs: readonly JobEntry[]): UsualTimes {
	const taken = new Map<string, number[]>();
	for (const job of jobs) {
		if (job.status !== 'completed') continue;
		for (const timing of job.timings) {
			const seconds = phaseSeconds(timing, 0);
			if (seconds === undefined) continue;
			const name = nameOf(job, timing.name);
			taken.set(name, [...(taken.get(name) ?? []), seconds]);
		}
	}
	return new Map(
		[...taken].map(([name, all]) => {
			const sorted = all.toSorted((a, b) => a - b);
			return [name, sorted[Math.floor(sorted.length / 2)] ?? 0];
		}),
	);
}

/** The usual seconds of a phase of a job here. */
export function usualSeconds(job: JobEntry, phase: string, usual: UsualTimes): number | undefined {
	return usual.get(nameOf(job, phase));
}

export type Stuck = {
	readonly what: 'no-step' | 'past-its-hours' | 'long-phase' | 'long-queue';
	/** For how long already, in seconds. */
	readonly seconds: number;
	/** The usual time, if that is the reason. */
	readonly usualSeconds?: number;
};

/** Why a job is probably stuck; undefined where nothing says so. A guess, and worded as one. */
export function stuckFor(job: JobEntry, usual: UsualTimes, now: number): Stuck | undefined {
	if (hasEnded(job)) return undefined;
	const {fields} = job;
	const stepAt = typeof fields.step_at === 'string' ? momentOf(fields.step_at) : undefined;
	const since = (at: number) => (now - at) / 1000;
	if (stepAt !== undefined && job.phase === 'training' && since(stepAt) > patienceSeconds) {
		return {what: 'no-step', seconds: since(stepAt)};
	}
	const startedAt = typeof fields.started_at === 'string' ? momentOf(fields.started_at) : undefined;
	if (startedAt !== undefined && typeof fields.hours === 'number') {
		const over = since(startedAt) - fields.hours * 3600;
		if (over > patienceSeconds) return {what: 'past-its-hours', seconds: over};
	}
	const current = currentTiming(job);
	const seconds = current && phaseSeconds(current, now);
	if (current === undefined || seconds === undefined || seconds < patienceSeconds) return undefined;
	const usually = usualSeconds(job, current.name, usual);
	if (usually !== undefined && seconds > factor * usually) {
		return {what: 'long-phase', seconds, usualSeconds: usually};
	}
	return job.status === 'queued' && seconds > 6 * patienceSeconds ? {what: 'long-queue', seconds} : undefined;
}

/** True if something went wrong with a job: it failed, was tried again, or is probably stuck. */
export function hasFault(job: JobEntry, usual: UsualTimes, now: number): boolean {
	if (
		job.status === 'failed' ||
		job.timings.some(({retries, status}) => retries > 0 || status === 'failed')
	) {
		return true;
	}
	return stuckFor(job, usual, now) !== undefined;
}
