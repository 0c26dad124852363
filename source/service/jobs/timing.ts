import {positiveNumber} from '../host/environment.ts';

/** Intervals of jobs, in milliseconds. */
export type Timing = {
	/** How often a running trainer is looked at. */
	readonly pollMs: number;
	/** The wait before the first retry; it doubles with each. */
	readonly retryMs: number;
	/** How long a trainer that is asked to end may take. */
	readonly endMs: number;
	/** How often progress alone is written down. */
	readonly noteMs: number;
};

/** The usual times; `LAKESCOPE_JOB_RETRY_MS` and `LAKESCOPE_JOB_END_MS` override them. */
export function usualTiming(env: NodeJS.ProcessEnv = process.env): Timing {
	return {
		pollMs: 250,
		retryMs: positiveNumber(env.LAKESCOPE_JOB_RETRY_MS) ?? 1000,
		endMs: positiveNumber(env.LAKESCOPE_JOB_END_MS) ?? 15_000,
		noteMs: 1000,
	};
}

/** How often a trainer that died is started again before its job fails. */
export const maxRetries = 3;
