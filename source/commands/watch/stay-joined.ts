import {NetworkError} from '../../client/errors.ts';
import {say} from '../output.ts';
import {joinOwnService} from '../own-service.ts';
import {type Session, withClient} from '../session.ts';
import type {Settings} from '../settings.ts';

/** How often an embedded service that goes away is joined again. */
const mostJoins = 20;

/** The embedded service went away in the middle of something. */
class ServiceGoneError extends Error {
	override readonly name = 'ServiceGoneError';
}

/** Runs `work` with the person's own service, and again with another one where the embedded one goes away meanwhile. */
export async function stayJoined<T>(
	settings: Settings,
	interrupt: AbortSignal,
	work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	for (const problem of settings.problems) say(problem);
	for (let joins = 1; ; joins++) {
		const service = await joinOwnService(settings);
		const gone = new AbortController();
		service.lost.then(() => gone.abort(new ServiceGoneError('The embedded service went away.')));
		try {
			return await withClient(service, session => work(session, AbortSignal.any([interrupt, gone.signal])));
		} catch (error) {
			const isGone =
				gone.signal.aborted && (error instanceof ServiceGoneError || error instanceof NetworkError);
			if (interrupt.aborted || !isGone || joins === mostJoins) throw error;
			say('The embedded service went away; another one goes on.');
		}
	}
}
