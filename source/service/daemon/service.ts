import {rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {fileLog} from '../host/log.ts';
import {startProblem} from '../host/start-error.ts';
import {version} from '../host/version.ts';
import {keepFilesPrivate} from '../workers/child-environment.ts';
import {Closing} from './closing.ts';
import {beginOpening, loadEngine} from './lake-engine.ts';
import {prepareLakeFolder, tightenBelowLake, tightenLake} from './lake-folder.ts';
import {takeLake} from './lake-lock.ts';
import {fillWorkFolder, readOnlySentence, unwritableReason, workFolderOf} from './read-only-lake.ts';
import {announce, readPointer} from './runtime-file.ts';
import type {ServingOptions} from './serving.ts';
import {logName} from './spawn-service.ts';

type ServiceOptions = ServingOptions & {
	readonly lakeFolder: string;
	readonly sample: boolean;
	/** Asked while another process holds the lake: whether to wait no longer. */
	readonly giveUp: () => boolean | Promise<boolean>;
};

/** A service that accepts requests. */
type RunningService = {
	/** On loopback. */
	readonly url: string;
	/** Where callers from other machines are listened for. */
	readonly networkUrl: string | undefined;
	/** Why the lake can only be read; undefined where it can be written. */
	readonly readOnly: string | undefined;
	/** Settles when it has nothing to do any more, or was asked to make room; it is still to be stopped. */
	readonly idle: Promise<void>;
	/** Settles when its lake was removed from under it; it is still to be stopped. */
	readonly takenAway: Promise<void>;
	/** Ends it: what runs is given up, to be taken up by the next one, and everything is closed. */
	stop(): Promise<void>;
};

/**
 * Becomes the service of a lake and listens.
 *
 * @returns undefined when another process is that service
 * @throws {ServiceStartError} with the sentence to print
 */
export async function startService(options: ServiceOptions): Promise<RunningService | undefined> {
	loadEngine().catch(() => undefined);
	const folder = await prepareLakeFolder(options.lakeFolder);
	const readOnly = await unwritableReason(folder);
	// The service writes into the lake's folder, or into a work folder where the lake can only be read.
	const work = readOnly === undefined ? folder : await workFolderOf(folder);
	const log = fileLog(path.join(work, logName));
	const closing = new Closing();
	closing.add(keepFilesPrivate());
	try {
		await tightenLake(work);
		const lock = await takeLake(work, options.giveUp);
		if (!lock) {
			await closing.close(log);
			return undefined;
		}
		closing.add(() => lock.release());
		void tightenBelowLake(work);
		if (readOnly !== undefined) {
			closing.add(() => rm(work, {recursive: true, force: true}));
			await fillWorkFolder(folder, work);
		}
		const opening = await beginOpening(folder, readOnly === undefined ? undefined : work);
		closing.add(async () => (await opening.lake.catch(() => undefined))?.close());
		// All that answers requests loads while the engine opens the lake.
		const [{openOperations}, {settleSample}, {serveLake}] = await Promise.all([
			import('./operations-file.ts'),
			import('../operations/lake-identity.ts'),
			import('./serving.ts'),
		]);
		const database = openOperations(work);
		closing.add(() => database.close());
		const sample = settleSample(database, folder, options.sample);
		const lake = await opening.lake;
		const {url, networkUrl, idle} = await serveLake(
			{folder, work, readOnly, sample, lake, database, log, closing},
			options,
		);
		const {key} = options;
		closing.add(await announce({url, key, pid: process.pid, version, lake: folder, sample, readOnly}));
		const {promise: takenAway, resolve: isTakenAway} = Promise.withResolvers<void>();
		closing.add(watchLake(work, isTakenAway));
		if (readOnly !== undefined) log(readOnlySentence(folder, readOnly));
		log(`lakescope ${version} serves ${folder} at ${url}${networkUrl ? ` and ${networkUrl}` : ''}`);
		closing.add(() => log('ends'));
		return {url, networkUrl, idle, takenAway, readOnly, stop: () => closing.close(log)};
	} catch (error) {
		await closing.close(log);
		// The disk may be full, or the folder taken away, at any of these steps.
		throw startProblem(folder, error);
	}
}

/** A lake that was removed is served no longer than this; what is said to be kept meanwhile is lost with its files. */
const lookMs = 2000;

/** True if the lake's folder was removed, or replaced by another service's. */
async function isTakenAway(lake: string): Promise<boolean> {
	const isMissing = await stat(path.join(lake, 'service.lock')).then(
		() => false,
		(error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
	);
	if (isMissing) return true;
	const pointer = await readPointer(lake);
	return pointer !== undefined && pointer.pid !== process.pid;
}

/** Calls `takenAway` once, when the lake's folder has been removed from under its service. @returns what ends that */
function watchLake(lake: string, takenAway: () => void): () => void {
	const timer = setInterval(() => {
		void isTakenAway(lake).then(isGone => {
			if (!isGone) return;
			clearInterval(timer);
			takenAway();
		});
	}, lookMs).unref();
	return () => clearInterval(timer);
}
