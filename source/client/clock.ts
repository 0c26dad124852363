/** Time, as it can be told and waited for; a test has its own. */
export type Clock = {
	/** Milliseconds since 1970. */
	now(): number;
	/** Runs something later, once. @returns what calls it off */
	after(ms: number, run: () => void): () => void;
};

/** The machine's time. */
export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};

/** Waits so long, or until the signal is aborted, whichever is first. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise(resolve => {
		const end = () => {
			callOff();
			signal.removeEventListener('abort', end);
			resolve();
		};
		const callOff = clock.after(ms, end);
		signal.addEventListener('abort', end, {once: true});
	});
}
