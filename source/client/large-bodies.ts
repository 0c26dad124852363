/** Up to here a body is read beside any others, in bytes. */
export const smallBodyBytes = 2 * 1024 * 1024;

/**
 * Lets bodies that grow large be read one after the other: many at once, each within its bound, would fill the memory
 * together.
 */
export class LargeBodies {
	#last: Promise<void> = Promise.resolve();

	/**
	 * Waits until no other large body is being read.
	 *
	 * @returns to be called when this one has been
	 * @throws the signal's reason
	 */
	async enter(signal: AbortSignal): Promise<() => void> {
		const {promise, resolve: leave} = Promise.withResolvers<void>();
		const before = this.#last;
		this.#last = before.then(() => promise);
		const aborted = Promise.withResolvers<never>();
		const abort = () => aborted.reject(signal.reason);
		signal.addEventListener('abort', abort, {once: true});
		try {
			signal.throwIfAborted();
			await Promise.race([before, aborted.promise]);
			return leave;
		} catch (error) {
			leave();
			throw error;
		} finally {
			signal.removeEventListener('abort', abort);
		}
	}
}
