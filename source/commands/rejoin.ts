import {NetworkError} from '../client/errors.ts';
import type {ChosenService} from './chosen-service.ts';
import {type Session, withClient} from './session.ts';

/** The embedded service ended while it was used. */
class ServiceGoneError extends Error {
	override readonly name = 'ServiceGoneError';
}

type RejoinOptions = {
	readonly join: () => Promise<ChosenService>;
	/** The most joins before a lost service is a failure. */
	readonly mostJoins: number;
	readonly signal: AbortSignal;
	/** Called before the work is done again. */
	readonly onGone: () => void;
};

/**
 * Does `work` with a service. If it is embedded and goes away, the work is repeated with the next one of the same lake.
 *
 * @param work is given a signal that aborts with the other, or when the service has gone.
 */
export async function rejoining<T>(
	{join, mostJoins, signal, onGone}: RejoinOptions,
	work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	for (let joins = 1; ; joins++) {
		const service = await join();
		const gone = new AbortController();
		service.lost.then(() => gone.abort(new ServiceGoneError('The embedded service stopped.')));
		const either = AbortSignal.any([signal, gone.signal]);
		try {
			return await withClient(service, session => work(session, either));
		} catch (error) {
			// A connection may break before the loss of its service is noticed.
			const isGone = error instanceof ServiceGoneError || error instanceof NetworkError;
			if (signal.aborted || service.kind === 'hosted' || !isGone || joins === mostJoins) throw error;
			onGone();
		}
	}
}
