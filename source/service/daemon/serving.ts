import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {ConcurrencyLimit} from '../../concurrency.ts';
import {firstQuestion} from '../../contract/first-question.ts';
import {localExploreRequest} from '../../contract/local-explore.ts';
import {eventHistory} from '../../contract/service-events.ts';
import {interpreted} from '../../contract/tolerance.ts';
import {AccessLog, type Unnamed} from '../access/access-log.ts';
import {callerOf, fromHere, readingOnly, withinRoles} from '../access/caller.ts';
import type {KeysFile} from '../access/keys-file.ts';
import {LiveKeys} from '../access/live-keys.ts';
import {type Augmentations, openAugmentations} from '../augmentation/augmentations.ts';
import {CompositionStore} from '../compose/composition-store.ts';
import {Compositions, firstThatHolds} from '../compose/compositions.ts';
import {EventHub} from '../events/event-hub.ts';
import {EventStore} from '../events/event-store.ts';
import {ingestPhase} from '../events/ingest-phase.ts';
import {DatasetForgetting} from '../files/forget-dataset.ts';
import {Activity} from '../host/activity.ts';
import type {Announce} from '../host/announce.ts';
import {accountId} from '../host/identity.ts';
import {fileLog, type Log} from '../host/log.ts';
import {version} from '../host/version.ts';
import {createAdmission} from '../http/admission.ts';
import {createApp} from '../http/app.ts';
import type {Route} from '../http/route.ts';
import {type Listening, startServer} from '../http/server.ts';
import {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import {openJobs} from '../jobs/jobs.ts';
import {configuredTrainers} from '../jobs/trainers/configured.ts';
import {localTrainer} from '../jobs/trainers/local.ts';
import {rehearsalTrainer} from '../jobs/trainers/rehearsal.ts';
import {Trainers} from '../jobs/trainers/trainer.ts';
import {type LakeEngine, LakeError} from '../lake/engine.ts';
import {DefinitionStore} from '../operations/definition-store.ts';
import {IngestStore} from '../operations/ingest-store.ts';
import {DatasetRepairs} from '../repair/dataset-repairs.ts';
import {ReviewStore} from '../reviews/review-store.ts';
import {ReviewController} from '../reviews/reviews.ts';
import {augmentationRoutes, localAugmentationRoutes} from '../routes/augmentation.ts';
import {datasetRoutes, fileRoutes} from '../routes/datasets.ts';
import {definitionRoutes, localDefinitionRoutes} from '../routes/definitions.ts';
import {eventRoutes} from '../routes/events.ts';
import {blobRoute} from '../routes/local/blobs.ts';
import {composeRoutes} from '../routes/local/compose.ts';
import {documentRoute} from '../routes/local/document.ts';
import {forgetRoutes} from '../routes/local/forget.ts';
import {ingestRoutes} from '../routes/local/ingests.ts';
import {localJobRoutes, trainerEnvironmentRoute} from '../routes/local/jobs.ts';
import {presenceRoutes} from '../routes/local/presence.ts';
import {repairRoutes} from '../routes/local/repairs.ts';
import {sampleRoutes} from '../routes/local/sample.ts';
import {distributionRoutes, reviewRoutes, seriesRoutes, triageRoutes} from '../routes/local/triage.ts';
import {localUploadRoutes} from '../routes/local/uploads.ts';
import {openApiRoute} from '../routes/openapi.ts';
import {trainingRoutes} from '../routes/training.ts';
import {uploadRoutes} from '../routes/uploads.ts';
import {SampleService} from '../sample/sample-service.ts';
import {EpisodeAsking} from '../series/episode-asking.ts';
import {FrameService, SeriesService} from '../series/episode-series.ts';
import {SeriesWorker} from '../series/series-worker.ts';
import {type OpenUploads, openUploads} from '../uploads/open-uploads.ts';
import {quietMs} from '../uploads/transfers.ts';
import {childBounds, childrenAtOnce} from '../workers/bounded-child.ts';
import type {Closing} from './closing.ts';
import {readOnlySentence} from './read-only-lake.ts';

/** How long requests that run may take to end when the service does. */
const closeMs = 2000;

/** The lake, folders and log that a service works on. */
type Served = {
	/** The lake folder's real path. */
	readonly folder: string;
	/** Where its service writes: the same, unless the lake can only be read. */
	readonly work: string;
	/** Why the lake can only be read; undefined where it can be written. */
	readonly readOnly: string | undefined;
	readonly sample: boolean;
	readonly lake: LakeEngine;
	readonly database: DatabaseSync;
	readonly log: Log;
	readonly closing: Closing;
};

/** The callers and the address of a service. */
export type ServingOptions = {
	/** On loopback; 0 for any that is free. */
	readonly port: number;
	/** A socket of loopback that listens already, instead. */
	readonly descriptor?: number | undefined;
	/** Of this machine's own people. */
	readonly key: string;
	/** How long it stays with nothing to do; Infinity for one that a person started to stay. */
	readonly graceMs: number;
	/** How many bytes of uploads are stored at most. */
	readonly uploadQuota?: number | undefined;
	/** Where callers from other machines are listened for, and who they may be. */
	readonly network?:
		| {
				readonly host: string;
				readonly port: number;
				readonly keys: KeysFile;
				/** Read again when it changes. */
				readonly keysFile: string;
				/** Called with sentences for the person who started the service. */
				readonly notify?: (sentence: string) => void;
				/** Where they reach it, where a proxy stands before it. */
				readonly publicUrl?: string | undefined;
		  }
		| undefined;
};

/** The stores and workers behind the routes. */
async function startWorkers(
	{work: folder, readOnly, sample, lake, database, log, closing}: Served,
	activity: Activity,
	announce: Announce,
	{uploadQuota, graceMs}: Pick<ServingOptions, 'uploadQuota' | 'graceMs'>,
) {
	const store: IngestStore = new IngestStore(database, operation => {
		announce(ingestPhase(operation));
		opened.feed.notifyOperation(operation.operationId);
		void compositions.settle(operation);
	});
	const jobs = openJobs({
		lakeFolder: folder,
		database,
		lake,
		activity,
		announce,
		log,
		trainers: new Trainers(
			localTrainer(Number.isFinite(graceMs) ? 'told' : 'kept'),
			rehearsalTrainer(),
			configuredTrainers(log),
		),
	});
	const inUse = () =>
		[...jobs.store.running(), ...jobs.store.queued(), ...augmentations.store.unfinished()].map(
			({datasetFolder}) => datasetFolder,
		);
	const kept = {lakeFolder: folder, database, lake, ingests: store, activity, announce, log, inUse};
	const opened: OpenUploads = openUploads({...kept, quietMs: quietMs(), quota: uploadQuota});
	const {datasets: provider, transfers, intake, feed, collector} = opened;
	const shared = {
		store,
		slots: new ConcurrencyLimit(childrenAtOnce),
		bounds: childBounds(),
		activity,
		log,
		lake,
	};
	const reviewStore = new ReviewStore(database);
	const reviews = {
		store: reviewStore,
		controller: new ReviewController({lake, store: reviewStore, announce}),
	};
	const compositions: Compositions = new Compositions({
		...shared,
		lakeFolder: folder,
		store: new CompositionStore(database),
		ingests: store,
	});
	const seriesWorker = new SeriesWorker(shared.bounds);
	const asking = (worker: SeriesWorker, noun: string) =>
		new EpisodeAsking({lake, worker, scratch: path.join(folder, 'staging', noun), noun});
	const series = new SeriesService(asking(seriesWorker, 'series'));
	// A process of its own: a video may take seconds, and no course waits for it.
	const framesWorker = new SeriesWorker(shared.bounds);
	const frames = new FrameService(asking(framesWorker, 'pictures'));
	const busy = () => ({
		jobs: [...jobs.store.running(), ...jobs.store.queued()],
		augmentations: augmentations.store.unfinished(),
		ingests: store
			.unfinished()
			.map(operation => ({...operation, folders: compositions.foldersOf(operation)})),
	});
	const repairs = new DatasetRepairs({
		...shared,
		lakeFolder: folder,
		database,
		ingests: store,
		uploaded: provider,
		busy,
	});
	const forgetting = new DatasetForgetting({
		lakeFolder: folder,
		lake,
		marked: name => reviewStore.marks(name).length,
		busy,
		dropUploads: opened.dropUploads,
		log,
	});
	const supervisor = new IngestSupervisor({
		...shared,
		reviews: reviewStore,
		stagingFolder: path.join(folder, 'staging'),
		provider: firstThatHolds([repairs, provider, compositions]),
	});
	const sampleService = sample ? new SampleService({...shared, lakeFolder: folder, supervisor}) : undefined;
	const augmentations: Augmentations = openAugmentations({
		...shared,
		lakeFolder: folder,
		database,
		ingests: store,
		supervisor,
		links: jobs.links,
		announce,
	});
	closing.add(() => Promise.all([sampleService?.stop(), augmentations.runner.stop(), supervisor.stop()]));
	closing.add(() => Promise.all([seriesWorker.close(), framesWorker.close()]));
	closing.add(() => repairs.stop());
	closing.add(() => transfers.stop());
	closing.add(() => collector.stop());
	const uploads = opened.withSupervisor(supervisor);
	closing.add(() => jobs.runner.close());
	// Unfinished work in a read-only lake stays unfinished.
	if (readOnly === undefined) {
		await Promise.all([opened.sweep(), compositions.sweepAll()]);
		// Not awaited: it only repairs the lake after a killed service.
		void reviews.controller.resume().catch(error => log(`reviews: ${error}`));
		await supervisor.resume();
		await augmentations.runner.resume();
		jobs.runner.pump();
		collector.start();
	}
	return {
		store,
		supervisor,
		uploaded: provider,
		sampleService,
		reviews,
		series,
		frames,
		compositions,
		forgetting,
		repairs,
		jobs,
		augmentations,
		uploads,
		intake,
		feed,
	};
}

/**
 * Listens for requests about an open lake, and takes up what an earlier service left.
 *
 * @returns where it listens, and what settles when the service has nothing to do any more or is to make room
 * @throws {ServiceStartError} when the port cannot be had
 */
export async function serveLake(
	served: Served,
	{port, descriptor, key, graceMs, network, uploadQuota}: ServingOptions,
): Promise<{url: string; networkUrl: string | undefined; idle: Promise<void>}> {
	const {folder, readOnly, sample, lake, log, closing} = served;
	const {promise: idle, resolve: becomeIdle} = Promise.withResolvers<void>();
	const ending = new AbortController();
	// At once, not when the closing comes to it: a client that were let in between would be lost a moment later.
	const end = () => {
		ending.abort();
		becomeIdle();
	};
	const activity = new Activity({graceMs, onIdle: end});
	closing.add(() => activity.stop());
	const hub = new EventHub({store: new EventStore(served.database, eventHistory), log});
	closing.add(() => hub.close());
	hub.announce({name: 'service.started', data: {version}});
	// The engine answers an explorer's first request while this thread prepares to listen. If work of an earlier service
	// changes the lake, the answer is dropped and computed again on request.
	void lake.localExplore(localExploreRequest.parse(firstQuestion, interpreted)).catch(() => undefined);
	const workers = await startWorkers(served, activity, hub.announce, {uploadQuota, graceMs});
	const definitions = new DefinitionStore(served.database);
	const retire = Number.isFinite(graceMs) ? end : undefined;
	const routes: Route[] = [
		...datasetRoutes({lake, links: workers.jobs.links, ...workers}),
		...fileRoutes(lake),
		...definitionRoutes(definitions),
		...localDefinitionRoutes(definitions),
		...distributionRoutes(lake),
		...trainingRoutes(workers.jobs, lake),
		...localJobRoutes(workers.jobs),
		...augmentationRoutes(workers.augmentations),
		...localAugmentationRoutes(workers.augmentations),
		...uploadRoutes({...workers, publicUrl: network?.publicUrl}),
		...localUploadRoutes(workers),
		blobRoute(workers.intake),
		...triageRoutes({lake}),
		...reviewRoutes(workers.reviews),
		...seriesRoutes(workers),
		...composeRoutes(workers),
		...eventRoutes({hub, activity, ending: ending.signal}),
		documentRoute({readOnly, lake, folder, sample, takesEnvironment: retire !== undefined}),
		...fromHere([
			trainerEnvironmentRoute({isKept: retire === undefined, log, trainer: workers.jobs.trainers.chosen}),
		]),
		...fromHere(presenceRoutes({activity, folder, sample, retire, ending: ending.signal})),
		...fromHere(ingestRoutes(workers), ['POST']),
		...fromHere(forgetRoutes(workers.forgetting), ['POST']),
		...fromHere(repairRoutes(workers), ['POST']),
		...fromHere(sampleRoutes(workers.sampleService), ['POST']),
	];
	const all = withinRoles([...routes, openApiRoute(routes)]);
	const answered = readOnly === undefined ? all : readingOnly(all, readOnlySentence(folder, readOnly));
	const app = createApp({
		routes: answered,
		activity,
		log,
		isDiskFull: error => error instanceof LakeError && error.reason === 'full',
	});
	const own = {port, descriptor, admission: createAdmission(key), keyOf: () => 'own', handler: app};
	const access = network && openAccessLog(folder, closing);
	const server = await startServer(access ? written(own, access, 'owner') : own);
	closing.add(() => server.close(closeMs));
	const open = network && access && (await listenToOthers(network, {app, access, log, closing}));
	closing.add(() => ending.abort());
	return {url: server.url, networkUrl: open?.url, idle};
}

/** The log of callers, for a service that listens to other machines. */
function openAccessLog(folder: string, closing: Closing): AccessLog {
	const access = new AccessLog({
		changes: fileLog(path.join(folder, 'access.log')),
		refusals: fileLog(path.join(folder, 'refused.log')),
	});
	closing.add(() => access.close());
	return access;
}

type Listener = Parameters<typeof startServer>[0];

/** Logs all requests that a listener admits or refuses. */
function written(listener: Listener, access: AccessLog, unnamed: Unnamed): Listener {
	return {
		...listener,
		onRefused: (request, status) => access.refused(request, status),
		handler: (request, response) => {
			access.follow(request, response, unnamed);
			return listener.handler(request, response);
		},
	};
}

async function listenToOthers(
	{host, port, keys, keysFile, publicUrl, notify}: NonNullable<ServingOptions['network']>,
	{app, access, log, closing}: {app: Listener['handler']; access: AccessLog; log: Log; closing: Closing},
): Promise<Listening> {
	const told = (sentence: string) => {
		log(sentence);
		notify?.(sentence);
	};
	const live = new LiveKeys({file: keysFile, keys, publicUrl, account: accountId, notify: told});
	closing.add(() => live.close());
	const listener: Listener = {
		host,
		port,
		admission: live.admit,
		keyOf: incoming => callerOf({incoming})?.key ?? '',
		handler: (request, response) => {
			live.follow(request, response);
			return app(request, response);
		},
	};
	const open = await startServer(written(listener, access, 'upload target'));
	closing.add(() => open.close(closeMs));
	return open;
}
