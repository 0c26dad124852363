import {type ChildProcess, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {open} from 'node:fs/promises';
import {getCompileCacheDir} from 'node:module';
import {type AddressInfo, createServer, type Server} from 'node:net';
import {devNull} from 'node:os';
import path from 'node:path';
import type {Duplex} from 'node:stream';
import {lakeFolderProblem, ServiceStartError} from '../host/start-error.ts';
import {withoutSecrets} from '../workers/child-environment.ts';
import {programEntry} from '../workers/program-entry.ts';
import {unwritableReason} from './read-only-lake.ts';

/** The report of a started service: one JSON line on its descriptor 3. */
export type StartReport =
	| {
			readonly type: 'ready';
			readonly url: string;
			readonly key: string;
			readonly pid: number;
			readonly readOnly?: string | undefined;
	  }
	/** Another process serves this lake. */
	| {readonly type: 'taken'}
	| {readonly type: 'failed'; readonly message: string};

/** The descriptor on which a service started by `spawnService` reads its key, a line, and then reports. */
export const reportDescriptor = 3;

/** The descriptor of the socket that it is given, which listens already. */
export const socketDescriptor = 4;

/** Where a service will answer that is starting: requests wait in the queue of its socket. */
export type StartingService = {
	/** `http://127.0.0.1:PORT`, without a slash at its end. */
	readonly url: string;
	readonly key: string;
};

/** The log file of a lake's background service. */
export const logName = 'service.log';

/** Room for what is young, in MiB: all that a start makes, which the smaller room that Node begins with collects ten times. */
const memoryFlags = ['--min-semi-space-size=16'];

/** A socket of loopback that listens, for another process to answer on. */
function listeningSocket(): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({host: '127.0.0.1', port: 0}, () => resolve(server));
	});
}

/** Node has no public name for a server's descriptor; systemd's way of starting a service needs it. */
function descriptorOf(server: Server): number {
	const {fd} = (server as unknown as {_handle: {fd: number}})._handle;
	return fd;
}

/**
 * The service keeps its compiled code where the program keeps its own. Where Node keeps it otherwise, in the folder for
 * temporary files, only the machine's first user may write.
 */
function environment(): NodeJS.ProcessEnv {
	const ofThisVersion = getCompileCacheDir();
	if (ofThisVersion === undefined) return withoutSecrets();
	return {...withoutSecrets(), NODE_COMPILE_CACHE: path.dirname(ofThisVersion)};
}

function readReport(child: ChildProcess, logFile: string): Promise<StartReport> {
	return new Promise((resolve, reject) => {
		const pipe = child.stdio[reportDescriptor] as Duplex;
		let text = '';
		pipe.setEncoding('utf8').on('data', (chunk: string) => {
			text += chunk;
			const end = text.indexOf('\n');
			if (end !== -1) resolve(JSON.parse(text.slice(0, end)) as StartReport);
		});
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			const settle = () => {
				const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
				resolve({
					type: 'failed',
					message: `The embedded service ${how} before it was ready. Its last output is in ${logFile}.`,
				});
			};
			// A report that was written just before the end is still in the pipe.
			if (pipe.closed) settle();
			else pipe.once('close', settle);
		});
	});
}

async function withinTime<T>(
	work: Promise<T>,
	ms: number,
	late: () => Error,
	signal?: AbortSignal,
): Promise<T> {
	signal?.throwIfAborted();
	const {promise, reject} = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(late()), ms);
	const onAbort = () => reject(signal?.reason);
	signal?.addEventListener('abort', onAbort, {once: true});
	try {
		return await Promise.race([work, promise]);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', onAbort);
	}
}

/**
 * Starts a service process of its own session over a lake and waits until it accepts requests, or says why not.
 * It outlives this process.
 *
 * @param lake an existing folder
 */
export async function spawnService(
	lake: string,
	options: {
		sample: boolean;
		timeoutMs: number;
		signal?: AbortSignal | undefined;
		/** Called once the process is there, with where it will answer. */
		onStarting?: ((starting: StartingService) => void) | undefined;
	},
): Promise<StartReport> {
	const logFile = path.join(lake, logName);
	const log = await open(logFile, 'a', 0o600).catch(async error => {
		// A lake that can only be read is read all the same.
		if ((await unwritableReason(lake)) !== undefined) return await open(devNull, 'a');
		throw lakeFolderProblem(lake, error);
	});
	const args = [
		...memoryFlags,
		programEntry('embedded-service.js', 'main.ts'),
		'--lake',
		lake,
		'--report',
		'--socket',
	];
	if (options.sample) args.push('--sample');
	const key = randomBytes(32).toString('base64url');
	const socket = await listeningSocket();
	const {port} = socket.address() as AddressInfo;
	let child: ChildProcess;
	try {
		child = spawn(process.execPath, args, {
			cwd: lake,
			env: environment(),
			detached: true,
			stdio: ['ignore', log.fd, log.fd, 'pipe', descriptorOf(socket)],
		});
	} finally {
		// Nothing was accepted here: the service has the socket, and its queue.
		socket.close();
		await log.close();
	}
	const pipe = child.stdio[reportDescriptor] as Duplex;
	// A service that ended at once tells by its end.
	pipe.on('error', () => undefined).write(`${key}\n`);
	options.onStarting?.({url: `http://127.0.0.1:${port}`, key});
	const late = () =>
		new ServiceStartError(
			`The embedded service was not ready within ${options.timeoutMs / 1000} s. See ${logFile}.`,
		);
	try {
		return await withinTime(readReport(child, logFile), options.timeoutMs, late, options.signal);
	} finally {
		child.removeAllListeners('exit');
		pipe.destroy();
		child.unref();
	}
}
