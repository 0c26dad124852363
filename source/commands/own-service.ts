import {type ChosenService, chooseService, joinLake} from './chosen-service.ts';
import {say} from './print/output.ts';
import {type Session, withClient} from './session.ts';
import type {Settings} from './settings.ts';

/** The hosted service, or that of the person's own lake: the sample, which has no jobs, stands in for neither. */
export function joinOwnService(settings: Settings): Promise<ChosenService> {
	return settings.hosted || settings.sample ? chooseService(settings) : joinLake(settings.lakeFolder);
}

/** Runs `work` with that service. */
export async function withOwnService<T>(
	settings: Settings,
	work: (session: Session) => Promise<T>,
): Promise<T> {
	for (const problem of settings.problems) say(problem);
	return withClient(await joinOwnService(settings), work);
}
