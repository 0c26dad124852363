import {joinOwnService} from './own-service.ts';
import {say} from './print/output.ts';
import {rejoining} from './rejoin.ts';
import type {Session} from './session.ts';
import type {Settings} from './settings.ts';

/** How often an embedded service that goes away is joined again. */
const mostJoins = 20;

/** Runs `work` with the person's own service, and again with another one where the embedded one goes away meanwhile. */
export function stayJoined<T>(
	settings: Settings,
	signal: AbortSignal,
	work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	for (const problem of settings.problems) say(problem);
	const onGone = () => say('The embedded service went away; another one goes on.');
	return rejoining({join: () => joinOwnService(settings), mostJoins, signal, onGone}, work);
}
