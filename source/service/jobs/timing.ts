/** The times that jobs go by, in milliseconds. */
export type Timing = {
	/** How often a running trainer is looked at. */
	readonly pollMs: number;
	/** The wait before the first retry; it doubles with each. */
	readonly retryMs: number;
	/** How long a trainer that is asked to end may take. */
	readonly endMs: number;
	/** How long a rehearsal stays in a phase. */
	readonly rehearsalMs: number;
	/** How often progress alone is written down. */
	readonly noteMs: number;
};

function positive(text: string | undefined): number | undefined {
	const value = Number(text);
	return text && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** The times as they are; `LAKESCOPE_JOB_RETRY_MS`, `LAKESCOPE_JOB_END_MS` and `LAKESCOPE_REHEARSAL_MS` say otherwise. */
export function usualTiming(env: NodeJS.ProcessEnv = process.env): Timing {
	return {
		pollMs: 250,
		retryMs: positive(env.LAKESCOPE_JOB_RETRY_MS) ?? 1000,
		endMs: positive(env.LAKESCOPE_JOB_END_MS) ?? 15_000,
		rehearsalMs: positive(env.LAKESCOPE_REHEARSAL_MS) ?? 600,
		noteMs: 1000,
	};
}

/** How often a trainer that died is begun again before its job has failed. */
export const maxRetries = 3;
