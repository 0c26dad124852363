import {randomBytes} from 'node:crypto';
import {closeSync, readSync, writeSync} from 'node:fs';
import {flushCompileCache} from 'node:module';
import {ServiceStartError} from '../host/start-error.ts';
import type {ServiceArguments} from './arguments.ts';
import {readRuntimeRecord} from './runtime-file.ts';
import {startService} from './service.ts';
import {reportDescriptor, type StartReport, socketDescriptor} from './spawn-service.ts';
import {untilSignal} from './until-signal.ts';

/** How long to wait for a service that is ending; the process that started this one may try again. */
const patienceMs = 1000;

function notify(report: StartReport): void {
	try {
		writeSync(reportDescriptor, `${JSON.stringify(report)}\n`);
		closeSync(reportDescriptor);
	} catch {
		// The process that started this one has gone; others may still need the service.
	}
}

/** The key that the process which started this one gives it, a line; undefined if that process has gone. */
function givenKey(): string | undefined {
	const read = Buffer.alloc(200);
	let length = 0;
	while (!read.subarray(0, length).includes('\n')) {
		const more = readSync(reportDescriptor, read, length, read.length - length, null);
		if (more === 0) return undefined;
		length += more;
	}
	return read.subarray(0, length).toString('latin1').trimEnd();
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** A lake whose service is known and alive is not waited for. */
function impatience(lake: string): () => Promise<boolean> {
	const deadline = Date.now() + patienceMs;
	return async () => {
		const record = await readRuntimeRecord(lake);
		return (record !== undefined && isAlive(record.pid)) || Date.now() > deadline;
	};
}

/** Runs a service in the background until no client needs it. */
export async function runInBackground({
	lakeFolder,
	sample,
	port,
	report,
	socket,
}: ServiceArguments): Promise<number> {
	const say = report ? notify : (value: StartReport) => process.stdout.write(`${JSON.stringify(value)}\n`);
	const key = (socket ? givenKey() : undefined) ?? randomBytes(32).toString('base64url');
	try {
		const giveUp = impatience(lakeFolder);
		const where = socket ? {port, descriptor: socketDescriptor} : {port};
		const service = await startService({lakeFolder, sample, ...where, key, graceMs: graceMs(), giveUp});
		if (!service) {
			say({type: 'taken'});
			return 0;
		}
		const signalled = untilSignal();
		say({type: 'ready', url: service.url, key, pid: process.pid, readOnly: service.readOnly});
		// A service may be killed, and a killed process leaves no compile cache.
		flushCompileCache();
		await Promise.race([service.idle, service.takenAway, signalled]);
		await service.stop();
		return 0;
	} catch (error) {
		const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
		const message = error instanceof ServiceStartError ? error.message : unexpected;
		say({type: 'failed', message});
		return 1;
	}
}

/**
 * How long a service stays after its last client, in milliseconds: 10 s, so that commands typed one after the other
 * find it running. `LAKESCOPE_SERVICE_GRACE_MS` says otherwise.
 */
export function graceMs(env: NodeJS.ProcessEnv = process.env): number {
	const wanted = Number(env.LAKESCOPE_SERVICE_GRACE_MS);
	return env.LAKESCOPE_SERVICE_GRACE_MS && wanted >= 0 ? wanted : 10_000;
}
