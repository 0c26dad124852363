import {joinOwnService} from './own-service.ts';
import {say} from './print/output.ts';
import {rejoining} from './rejoin.ts';
import type {Session} from './session.ts';
import type {Settings} from './settings.ts';

/** Joins of an embedded service that keeps going away. */
const mostJoins = 20;

/** Runs `work` with the user's own service, and repeats it with the next one if the embedded one goes away. */
export function stayJoined<T>(
	settings: Settings,
	signal: AbortSignal,
	work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	for (const problem of settings.problems) say(problem);
	const onGone = () => say('The embedded service stopped; another one continues.');
	return rejoining({join: () => joinOwnService(settings), mostJoins, signal, onGone}, work);
}
