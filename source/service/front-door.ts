import {realpath} from 'node:fs/promises';
import {hostname} from 'node:os';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {lakeFiles} from './daemon/lake-engine.ts';
import {prepareLakeFolder} from './daemon/lake-folder.ts';
import {holdPresence, type Presence} from './daemon/presence.ts';
import {readOnlySentence, unwritableReason} from './daemon/read-only-lake.ts';
import {retire} from './daemon/retire.ts';
import {type RuntimeRecord, readPointer, readRuntimeRecord} from './daemon/runtime-file.ts';
import {type StartingService, type StartReport, spawnService} from './daemon/spawn-service.ts';
import {ServiceStartError} from './host/start-error.ts';
import {version} from './host/version.ts';

export {readNetwork} from './access/network-flags.ts';
export type {ForegroundOptions} from './daemon/foreground.ts';
export type {StartingService} from './daemon/spawn-service.ts';
export {ServiceStartError} from './host/start-error.ts';
export type {IngestTrial} from './ingest/ingest-trial.ts';
export type {FoundDamage} from './repair/repair-run.ts';

/** The file that a folder has once it holds a lake. */
export const lakeFileOf = (lakeFolder: string) => path.join(lakeFolder, lakeFiles.database);

export type JoinOptions = {
	/** The folder that holds the lake's files; made when it is not there. */
	readonly lakeFolder: string;
	/** The lake is the sample's. */
	readonly sample?: boolean;
	readonly signal?: AbortSignal;
	/** How long to go on trying while something else holds the lake. @default 30000 */
	readonly patienceMs?: number;
	/** Called when a service was started; what is asked of it waits until it answers. */
	readonly onStarting?: (starting: StartingService) => void;
};

/** A service that runs and stays while this process holds it. */
export type JoinedService = {
	/** `http://127.0.0.1:PORT`, without a slash at its end. */
	readonly url: string;
	readonly key: string;
	readonly pid: number;
	/** The service's version; another than the program's own where a busy service of that version was found. */
	readonly version: string;
	/** The sentence that says why the lake can only be read; undefined where it can be written. */
	readonly readOnly: string | undefined;
	/** True if this call started it. */
	readonly startedHere: boolean;
	/** Settles when the service counts this process among its clients, or is not there any more. */
	readonly held: Promise<void>;
	/** Settles when the service has gone, or `leave` was called: join again to go on. */
	readonly lost: Promise<void>;
	/** Releases the service, which ends once no other client needs it. Also happens when this process ends. */
	leave(): void;
};

/** How long a service may take to answer that it is there. */
const answerMs = 3000;

/** How long a service may take to open its lake; after a crash a large one is first put in order. */
const startMs = 60_000;

type Holding = {record: RuntimeRecord; presence: Presence};

function joined({record, presence}: Holding): JoinedService {
	const {url, key, lake} = record;
	const readOnly = record.readOnly === undefined ? undefined : readOnlySentence(lake, record.readOnly);
	const {pid} = presence.document;
	const {lost, leave} = presence;
	const held = Promise.resolve();
	return {url, key, pid, version: presence.document.version, readOnly, startedHere: false, held, lost, leave};
}

/**
 * Joins a service that has just said that it is there. It stays for a while without any client, so that it can be asked
 * before it is held: the first page of an explorer is there 15 ms sooner.
 */
function joinedAtOnce(
	lake: string,
	{url, key, pid, readOnly}: Extract<StartReport, {type: 'ready'}>,
	signal: AbortSignal | undefined,
): JoinedService {
	const left = new AbortController();
	const until = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
	const holding = holdPresence({url, key}, {timeoutMs: answerMs, signal: until}).then(
		outcome => (typeof outcome === 'string' ? undefined : outcome),
		() => undefined,
	);
	return {
		url,
		key,
		pid,
		version,
		readOnly: readOnly === undefined ? undefined : readOnlySentence(lake, readOnly),
		startedHere: true,
		held: holding.then(() => undefined),
		lost: holding.then(presence => presence?.lost),
		leave() {
			left.abort();
			void holding.then(presence => presence?.leave());
		},
	};
}

/**
 * A service of another version, or one that opened this lake as something else, makes room when it is idle.
 * A busy one of another version is joined all the same; one that knows no sample is of no use to the sample.
 *
 * @returns whether the service is to be joined
 */
async function isFit(record: RuntimeRecord, sample: boolean): Promise<boolean> {
	if (record.readOnly !== undefined && (await givesWay(record))) return false;
	const unfit = sample && !record.sample;
	if (record.version === version && !unfit) return true;
	const refusal = await retire(record, answerMs);
	if (refusal === undefined) return false;
	if (!unfit) return true;
	throw new ServiceStartError(
		`The lake ${record.lake} is open as a lake of recordings (process ${record.pid}), not as the sample: ${refusal}.`,
	);
}

/** Ends the service of a lake that could only be read and is writable now. @returns true if it has ended */
async function givesWay(record: RuntimeRecord): Promise<boolean> {
	if ((await unwritableReason(record.lake)) !== undefined) return false;
	if ((await retire(record, answerMs)) !== undefined) return false;
	// It has the database open until it ends.
	const deadline = Date.now() + answerMs;
	while ((await readRuntimeRecord(record.lake))?.pid === record.pid && Date.now() < deadline) await delay(20);
	return true;
}

/** Holds the service that serves this lake already, if there is one. */
async function holdRunning(
	lake: string,
	sample: boolean,
	{signal, isHeld}: {signal: AbortSignal | undefined; isHeld: boolean},
): Promise<Holding | {silentPid: number} | undefined> {
	const record = await readRuntimeRecord(lake, {isHeld});
	if (!record || !(await isFit(record, sample))) return undefined;
	const outcome = await holdPresence(record, {timeoutMs: answerMs, signal});
	if (outcome === 'silent') return {silentPid: record.pid};
	if (outcome === 'absent') return undefined;
	if (outcome.document.lake === lake) return {record, presence: outcome};
	outcome.leave();
	return undefined;
}

async function unreachable(lake: string, silentPid: number | undefined): Promise<ServiceStartError> {
	const pointer = await readPointer(lake);
	if (pointer && pointer.host !== hostname()) {
		return new ServiceStartError(
			`The lake ${lake} is in use on another machine (${pointer.host}, process ${pointer.pid}). Work on it there, or choose another folder with --lake DIR.`,
		);
	}
	const pid = silentPid ?? pointer?.pid;
	return new ServiceStartError(
		pid === undefined
			? `Another process holds the lake ${lake} and cannot be reached. Find it with: fuser ${lake}/service.lock`
			: `The lake ${lake} is held by process ${pid}, which does not answer. End it with: kill ${pid} — then try again.`,
	);
}

/**
 * Joins the embedded service of a lake, starting it when none runs. However many call this at once, in however
 * many processes, they get one service.
 *
 * @throws {ServiceStartError} with the sentence to print: no permission, disk full, a lake file of a newer version, …
 */
export async function joinEmbeddedService(options: JoinOptions): Promise<JoinedService> {
	const {signal, sample = false, patienceMs = 30_000, onStarting} = options;
	const lake = await prepareLakeFolder(options.lakeFolder);
	const deadline = Date.now() + patienceMs;
	let silentPid: number | undefined;
	let isHeld = false;
	while (Date.now() < deadline) {
		signal?.throwIfAborted();
		const running = await holdRunning(lake, sample, {signal, isHeld});
		if (running && 'presence' in running) return joined(running);
		silentPid = running?.silentPid;
		const report = await spawnService(lake, {sample, timeoutMs: startMs, signal, onStarting});
		if (report.type === 'failed') throw new ServiceStartError(report.message);
		isHeld = report.type === 'taken';
		if (report.type === 'ready') return joinedAtOnce(lake, report, signal);
		await delay(20, undefined, {signal});
	}
	throw await unreachable(lake, silentPid);
}

/**
 * Serves a lake in this process, which then is its embedded service, until SIGTERM or SIGINT.
 *
 * @returns once the service has ended
 * @throws {ServiceStartError} with the sentence to print: the port is in use, the lake is in use, …
 */
export async function serveInForeground(
	options: import('./daemon/foreground.ts').ForegroundOptions,
): Promise<void> {
	const {serveInForeground: serve} = await import('./daemon/foreground.ts');
	return serve(options);
}

/** Reads a dataset as an ingest would, and says what that would come to. @see IngestTrial */
export async function tryIngest(
	...given: Parameters<typeof import('./ingest/ingest-trial.ts').tryIngest>
): Promise<import('./ingest/ingest-trial.ts').IngestTrial> {
	return (await import('./ingest/ingest-trial.ts')).tryIngest(...given);
}

/** Names what is damaged in a dataset's folder. @see FoundDamage */
export async function findFolderDamage(
	...given: Parameters<typeof import('./repair/repair-run.ts').findFolderDamage>
): Promise<import('./repair/repair-run.ts').FoundDamage[]> {
	return (await import('./repair/repair-run.ts')).findFolderDamage(...given);
}

/** The service that serves a lake already, if one does; none is started. */
export async function joinRunningService(
	lakeFolder: string,
	signal?: AbortSignal,
): Promise<JoinedService | undefined> {
	const lake = await realpath(lakeFolder).catch(() => undefined);
	if (lake === undefined) return undefined;
	const running = await holdRunning(lake, false, {signal, isHeld: false});
	return running && 'presence' in running ? joined(running) : undefined;
}

/** Plans, makes and takes back repairs of LeRobot datasets. */
export function repairing(): Promise<typeof import('../lerobot/repair/repair.ts')> {
	return import('../lerobot/repair/repair.ts');
}
