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

export const usualTiming: Timing = {
	pollMs: 250,
	retryMs: 500,
	endMs: 15_000,
	rehearsalMs: 500,
	noteMs: 1000,
};

/** How often a trainer that died is begun again before its job has failed. */
export const maxRetries = 3;
