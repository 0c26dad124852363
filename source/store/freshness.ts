/** How far what is on the screen can be trusted to be what the service holds. */
export type Freshness =
	| {readonly state: 'loading'}
	/** `checking`: a newer reading is on its way. */
	| {readonly state: 'fresh'; readonly at: number; readonly checking: boolean}
	/** Shown from an earlier reading, because the newest attempt failed or has not come back yet. */
	| {readonly state: 'stale'; readonly since: number; readonly reason: string; readonly checking: boolean}
	/** Nothing at that address can be reached; what is shown, if anything, is from `since`. */
	| {
			readonly state: 'offline';
			readonly since: number | undefined;
			readonly reason: string;
			readonly checking: boolean;
	  }
	/** The service answered, with something that is no answer to the question; there is nothing to show. */
	| {readonly state: 'failed'; readonly reason: string; readonly checking: boolean};

/** What is known about the newest reading, successful or not. */
export type Reading = {
	/** When the data on the screen was read; undefined while there is none. */
	readonly readAt: number | undefined;
	/** The data was read by an earlier run of the program. */
	readonly fromLastSession: boolean;
	readonly isFetching: boolean;
	readonly error: Error | null;
	/** The error says that nothing was reached, rather than that what was reached refused. */
	readonly isUnreachable: boolean;
};

/** Judges a reading. */
export function freshnessOf({readAt, fromLastSession, isFetching, error, isUnreachable}: Reading): Freshness {
	const checking = isFetching;
	if (error !== null) {
		if (isUnreachable) return {state: 'offline', since: readAt, reason: error.message, checking};
		if (readAt === undefined) return {state: 'failed', reason: error.message, checking};
		return {state: 'stale', since: readAt, reason: error.message, checking};
	}
	if (readAt === undefined) return {state: 'loading'};
	if (fromLastSession) return {state: 'stale', since: readAt, reason: 'from the last session', checking};
	return {state: 'fresh', at: readAt, checking};
}
