import {type Client, createClient} from '../client/client.ts';
import {printable} from '../terminal/printable.ts';
import {type ChosenService, chooseService} from './chosen-service.ts';
import {say} from './print/output.ts';
import {awaitSample} from './sample-lake.ts';
import type {Settings} from './settings.ts';

/** A service and a client of it, for as long as a command runs. */
export type Session = {readonly service: ChosenService; readonly client: Client};

/** Runs `work` with a client of a service, and lets both go whatever happens. */
export async function withClient<T>(
	service: ChosenService,
	work: (session: Session) => Promise<T>,
): Promise<T> {
	if (service.readOnly !== undefined) say(printable(service.readOnly));
	const client = createClient(service.clientOptions);
	try {
		return await work({service, client});
	} finally {
		await client.close();
		service.leave();
	}
}

/**
 * Runs `work` with the service that the settings mean; a sample that stands in, or was asked for, is written first
 * when it has to be, and always called a sample.
 */
export async function withService<T>(settings: Settings, work: (session: Session) => Promise<T>): Promise<T> {
	for (const problem of settings.problems) say(problem);
	const service = await chooseService(settings);
	return withClient(service, async session => {
		if (service.kind === 'sample') await awaitSample(session.client);
		return work(session);
	});
}

/** Says on stderr that what follows is the sample's. */
export function noteIfSample({kind, emptyLake}: ChosenService): void {
	if (kind !== 'sample') return;
	const why = emptyLake === undefined ? '' : ` Your own lake, ${emptyLake}, is empty: see lakescope ingest.`;
	say(`This is the sample lake: recordings of simulated arms.${why}`);
}
