import {randomBytes} from 'node:crypto';
import {realpath} from 'node:fs/promises';
import {setTimeout as delay} from 'node:timers/promises';
import {readKeysFile} from '../access/keys-file.ts';
import type {NetworkFlags} from '../access/network-flags.ts';
import {ServiceStartError} from '../host/start-error.ts';
import {readOnlySentence} from './read-only-lake.ts';
import {retire} from './retire.ts';
import {readRuntimeRecord} from './runtime-file.ts';
import {startService} from './service.ts';
import {untilSignal} from './until-signal.ts';

export type ForegroundOptions = {
	readonly lakeFolder: string;
	/** @default false */
	readonly sample?: boolean;
	/** @default 0, any that is free */
	readonly port?: number;
	/** The x-api-key that callers send. @default a random one, kept in the runtime file alone */
	readonly key?: string | undefined;
	/**
	 * Callers from other machines are listened for as well: at this address of the machine, on `port`; loopback then
	 * takes any port that is free. Who they may be is said by the keys file.
	 */
	readonly network?: NetworkFlags | undefined;
	/** How many bytes of uploads are stored at most. @default as many as the disk has room for */
	readonly uploadQuota?: number | undefined;
	/** Called once it accepts requests, with the address that others are to use. */
	readonly onListening: (url: string) => void;
	/** Called with sentences for the person who started it. */
	readonly notify?: (sentence: string) => void;
	/** Ends it, as a signal to the process does. */
	readonly signal?: AbortSignal;
};

/** How long a background service may take to end once it has agreed to. */
const patienceMs = 5000;

/** How long a command that is just ending may still count as the background service's client. */
const leavingMs = 1000;

function requireKey(key: string): string {
	if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
	throw new ServiceStartError(
		'LAKESCOPE_API_KEY cannot be sent in a header: give it 1 to 4096 visible ASCII characters, without spaces.',
	);
}

/** Has the lake's service in the background make room. */
async function replaceBackground(lakeFolder: string): Promise<void> {
	const lake = await realpath(lakeFolder).catch(() => undefined);
	const record = lake === undefined ? undefined : await readRuntimeRecord(lake);
	if (!record) return;
	const deadline = Date.now() + leavingMs;
	let refusal = await retire(record);
	while (refusal !== undefined && Date.now() < deadline) {
		await delay(50);
		refusal = await retire(record);
	}
	if (refusal === undefined) return;
	throw new ServiceStartError(
		`The lake ${lake} is served by process ${record.pid} at ${record.url} already, and that cannot make room: ${refusal}.`,
	);
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
	return new Promise(resolve => {
		if (signal?.aborted) resolve();
		signal?.addEventListener('abort', () => resolve(), {once: true});
	});
}

/**
 * Serves a lake in this process until it is told to end; a service of the same lake that idles in the background
 * makes room for it.
 *
 * @throws {ServiceStartError} with the sentence to print
 */
export async function serveInForeground(options: ForegroundOptions): Promise<void> {
	const {lakeFolder, sample = false, port = 0, network, uploadQuota, onListening, notify, signal} = options;
	const key = requireKey(options.key ?? randomBytes(32).toString('base64url'));
	const keys = network && (await readKeysFile(network.keysFile));
	await replaceBackground(lakeFolder);
	const deadline = Date.now() + patienceMs;
	const service = await startService({
		lakeFolder,
		sample,
		port: network ? 0 : port,
		network: network && keys && {...network, port, keys, ...(notify && {notify})},
		key,
		uploadQuota,
		graceMs: Number.POSITIVE_INFINITY,
		giveUp: () => Date.now() > deadline,
	});
	if (!service) {
		throw new ServiceStartError(
			`Another process holds the lake ${lakeFolder}. Find it with: fuser ${lakeFolder}/service.lock`,
		);
	}
	const ending = Promise.race([untilSignal(), untilAborted(signal)]);
	if (service.readOnly !== undefined) notify?.(readOnlySentence(lakeFolder, service.readOnly));
	onListening(service.networkUrl ?? service.url);
	const isTakenAway = await Promise.race([ending.then(() => false), service.takenAway.then(() => true)]);
	await service.stop();
	if (isTakenAway) throw new ServiceStartError(`The lake ${lakeFolder} was removed: its service has ended.`);
}
