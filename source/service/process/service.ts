import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {createAdmission} from '../http/admission.ts';
import {createApp} from '../http/app.ts';
import type {Route} from '../http/route.ts';
import {type Listening, startServer} from '../http/server.ts';
import {Lake} from '../lake/lake.ts';
import {LakeError} from '../lake/lake-error.ts';
import {prepareLakeFolder} from '../launch/lake-folder.ts';
import {announce} from '../launch/runtime-file.ts';
import {logName} from '../launch/spawn-service.ts';
import {IngestStore} from '../operations/ingest-store.ts';
import {settleSample} from '../operations/lake-identity.ts';
import {openOperations} from '../operations/operations-file.ts';
import {datasetRoutes} from '../routes/datasets.ts';
import {documentRoute} from '../routes/local/document.ts';
import {ingestRoutes} from '../routes/local/ingests.ts';
import {presenceRoutes} from '../routes/local/presence.ts';
import {sampleRoutes} from '../routes/local/sample.ts';
import {notInThisVersion} from '../routes/not-in-this-version.ts';
import {SampleKeeper} from '../sample/sample-keeper.ts';
import {ServiceStartError} from '../start-error.ts';
import {childBounds, childrenAtOnce} from '../supervisor/child-bounds.ts';
import {IngestSupervisor} from '../supervisor/ingest-supervisor.ts';
import {Slots} from '../supervisor/slots.ts';
import {version} from '../version.ts';
import {Activity} from './activity.ts';
import {takeLake} from './lake-lock.ts';
import {fileLog, type Log} from './log.ts';

export type ServiceOptions = {
	readonly lakeFolder: string;
	readonly sample: boolean;
	/** 0 for any that is free. */
	readonly port: number;
	readonly key: string;
	/** How long it stays with nothing to do; Infinity for one that a person started to stay. */
	readonly graceMs: number;
	/** Asked while another process holds the lake: whether to wait no longer. */
	readonly giveUp: () => boolean | Promise<boolean>;
};

/** A service that accepts requests. */
export type RunningService = {
	readonly url: string;
	/** Settles when it has nothing to do any more, or was asked to make room; it is still to be stopped. */
	readonly idle: Promise<void>;
	/** Ends it: what runs is given up, to be taken up by the next one, and everything is closed. */
	stop(): Promise<void>;
};

/** How long requests that run may take to end when the service does. */
const closeMs = 2000;

/** Things to be closed, the last opened first. */
class Closing {
	readonly #steps: Array<() => unknown> = [];

	add(step: () => unknown): void {
		this.#steps.push(step);
	}

	/** Takes every step, whatever the others do. */
	async close(log: Log): Promise<void> {
		for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
			try {
				await step();
			} catch (error) {
				log(`while ending: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
			}
		}
	}
}

async function openLake(folder: string): Promise<Lake> {
	try {
		return await Lake.open(folder);
	} catch (error) {
		if (error instanceof LakeError) throw new ServiceStartError(error.message, {cause: error});
		throw error;
	}
}

type Parts = {
	readonly folder: string;
	readonly sample: boolean;
	readonly lake: Lake;
	readonly database: DatabaseSync;
	readonly activity: Activity;
	readonly log: Log;
};

/** What works behind the routes. */
function startWorkers({folder, sample, lake, database, activity, log}: Parts) {
	const store = new IngestStore(database);
	const shared = {store, slots: new Slots(childrenAtOnce), bounds: childBounds(), activity, log, lake};
	const supervisor = new IngestSupervisor({...shared, stagingFolder: path.join(folder, 'staging')});
	const keeper = sample ? new SampleKeeper({...shared, lakeFolder: folder, supervisor}) : undefined;
	return {store, supervisor, keeper};
}

/**
 * Becomes the service of a lake and listens.
 *
 * @returns undefined when another process is that service
 * @throws {ServiceStartError} with the sentence to print
 */
export async function startService(options: ServiceOptions): Promise<RunningService | undefined> {
	const {port, key, giveUp, graceMs} = options;
	const folder = await prepareLakeFolder(options.lakeFolder);
	const lock = await takeLake(folder, giveUp);
	if (!lock) return undefined;
	const log = fileLog(path.join(folder, logName));
	const closing = new Closing();
	closing.add(() => lock.release());
	try {
		const database = openOperations(folder);
		closing.add(() => database.close());
		const sample = settleSample(database, folder, options.sample);
		const lake = await openLake(folder);
		closing.add(() => lake.close());

		const {promise: idle, resolve: becomeIdle} = Promise.withResolvers<void>();
		const activity = new Activity({graceMs, onIdle: becomeIdle});
		closing.add(() => activity.stop());
		const workers = startWorkers({folder, sample, lake, database, activity, log});
		closing.add(() => Promise.all([workers.keeper?.stop(), workers.supervisor.stop()]));
		await workers.supervisor.resume();

		const ending = new AbortController();
		const retire = Number.isFinite(graceMs) ? becomeIdle : undefined;
		const routes: Route[] = [
			...datasetRoutes({lake, ...workers}),
			...notInThisVersion,
			documentRoute({lake, folder, sample}),
			...presenceRoutes({activity, folder, sample, retire, ending: ending.signal}),
			...ingestRoutes(workers),
			...sampleRoutes(workers.keeper),
		];
		const app = createApp({routes, activity, log});
		const server: Listening = await startServer({port, admission: createAdmission(key), handler: app.fetch});
		closing.add(() => server.close(closeMs));
		closing.add(() => ending.abort());
		const withdraw = await announce({url: server.url, key, pid: process.pid, version, lake: folder, sample});
		closing.add(withdraw);
		log(`lakescope ${version} serves ${folder} at ${server.url}`);
		closing.add(() => log('ends'));
		return {url: server.url, idle, stop: () => closing.close(log)};
	} catch (error) {
		await closing.close(log);
		throw error;
	}
}
