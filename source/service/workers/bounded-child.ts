import {type ChildProcess, spawn} from 'node:child_process';
import {availableParallelism, totalmem} from 'node:os';
import type {Readable} from 'node:stream';
import {positiveNumber} from '../host/environment.ts';
import {childEnvironment} from './child-environment.ts';
import {killGroup, outOfMemoryKills, residentBytes} from './process-facts.ts';

/** How a bounded child ended. */
export type ChildEnd = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** Why the service ended it; undefined for a child that ended by itself. */
	readonly ended: 'memory' | 'stalled' | 'stopped' | undefined;
	/** True if the kernel killed processes for lack of memory while it ran. */
	readonly outOfMemory: boolean;
	/** The end of its stderr. */
	readonly lastWords: string;
};

export type BoundedChild = {
	readonly pid: number;
	readonly end: Promise<ChildEnd>;
	/** Says something more to a child whose input was left open; its time to answer begins anew. */
	readonly send: (text: string) => void;
};

/** How often a child's memory is looked at. */
const watchMs = 250;

const keptWords = 4000;

function keepLast(stream: Readable): () => string {
	let text = '';
	stream.setEncoding('utf8').on('data', (chunk: string) => {
		text = (text + chunk).slice(-keptWords);
	});
	return () => text.trim();
}

/**
 * Runs one of the program's entries as a process group of its own, ends it when it takes more memory than it may
 * or says nothing for too long, and leaves nothing of the group behind.
 *
 * @param input what it reads on stdin; left open for more where there is none
 * @param onOutput called with what it writes on stdout; that it writes shows that it is alive
 * @param signal ends it
 */
export async function runBounded({
	entry,
	args = [],
	input,
	bounds,
	onOutput,
	signal,
}: {
	entry: string;
	args?: readonly string[];
	input?: string;
	bounds: ChildBounds;
	onOutput: (chunk: string) => void;
	signal: AbortSignal;
}): Promise<BoundedChild> {
	const heapMiB = Math.max(64, Math.floor((bounds.memoryBytes / 1024 / 1024) * 0.75));
	const killsBefore = await outOfMemoryKills();
	const child: ChildProcess & {stdin: NodeJS.WritableStream; stdout: Readable; stderr: Readable} = spawn(
		process.execPath,
		[`--max-old-space-size=${heapMiB}`, entry, ...args],
		{detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment()},
	);
	const pid = await new Promise<number>((resolve, reject) => {
		child.once('spawn', () => resolve(child.pid ?? 0));
		child.once('error', reject);
	});

	let ended: ChildEnd['ended'];
	const stop = (why: NonNullable<ChildEnd['ended']>) => {
		ended ??= why;
		killGroup(pid);
	};
	const onAbort = () => stop('stopped');
	signal.addEventListener('abort', onAbort, {once: true});
	if (signal.aborted) onAbort();
	const stall = setTimeout(() => stop('stalled'), bounds.stallMs);
	const watch = setInterval(async () => {
		if ((await residentBytes(pid)) > bounds.memoryBytes) stop('memory');
	}, watchMs);

	const lastWords = keepLast(child.stderr);
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		stall.refresh();
		onOutput(chunk);
	});
	// If a child ends before it reads its input, its end is reported instead.
	child.stdin.on('error', () => {});
	if (input !== undefined) child.stdin.end(input);

	const closed = new Promise<Omit<ChildEnd, 'outOfMemory'>>(resolve => {
		child.once('exit', () => {
			// Processes that it started end with it: they would keep its pipes open.
			killGroup(pid);
			clearTimeout(stall);
			clearInterval(watch);
			signal.removeEventListener('abort', onAbort);
		});
		child.once('close', (code, signal) => resolve({code, signal, ended, lastWords: lastWords()}));
	});
	const end = closed.then(async how => ({
		...how,
		outOfMemory: how.signal === 'SIGKILL' && (await outOfMemoryKills()) > killsBefore,
	}));
	const send = (text: string) => {
		stall.refresh();
		child.stdin.write(text);
	};
	return {pid, end, send};
}

/** The limits of one child process, at which it is ended. */
export type ChildBounds = {
	readonly memoryBytes: number;
	/** How long it may say nothing. */
	readonly stallMs: number;
};

const mebibyte = 1024 * 1024;

/** How many children work at once: one a core, but never so many that their memory is a concern. */
export const childrenAtOnce = Math.min(2, availableParallelism());

/**
 * The bounds of a child: up to 4 GiB, of which all children together never take more than half the machine's
 * memory, and 300 s without a word. `LAKESCOPE_INGEST_MEMORY_MIB` and `LAKESCOPE_INGEST_STALL_S` say otherwise.
 */
export function childBounds(env: NodeJS.ProcessEnv = process.env): ChildBounds {
	const usual = Math.min(4096, Math.floor(totalmem() / mebibyte / 2 / childrenAtOnce));
	return {
		memoryBytes: (positiveNumber(env.LAKESCOPE_INGEST_MEMORY_MIB) ?? usual) * mebibyte,
		stallMs: (positiveNumber(env.LAKESCOPE_INGEST_STALL_S) ?? 300) * 1000,
	};
}

/**
 * The sentence on a child that ended and gave no reason itself.
 *
 * @param doing what it was doing, as `Reading PATH`
 * @param did the same after "the process that", as `read PATH`
 */
export function reasonForEnd(end: ChildEnd, bounds: ChildBounds, doing: string, did: string): string {
	const {ended, signal, code, outOfMemory, lastWords} = end;
	const moreMemory = 'Raise it with LAKESCOPE_INGEST_MEMORY_MIB, or check that the files are intact.';
	if (ended === 'memory') {
		const mib = Math.round(bounds.memoryBytes / mebibyte);
		return `${doing} took more than ${mib} MiB of memory, the limit of one process. ${moreMemory}`;
	}
	if (ended === 'stalled') {
		return `${doing} made no progress for ${bounds.stallMs / 1000} s and was ended. Check that the disk answers and the files are intact, or allow more time with LAKESCOPE_INGEST_STALL_S.`;
	}
	if (signal === 'SIGKILL') {
		return outOfMemory
			? `The process that ${did} was killed because the machine ran out of memory. Try again when more is free.`
			: `The process that ${did} was killed (SIGKILL) by something other than lakescope; the machine was not out of memory. Try again.`;
	}
	if (signal === 'SIGABRT' && /heap out of memory/i.test(lastWords)) {
		return `${doing} took more memory than one process may have. ${moreMemory}`;
	}
	if (signal) {
		return `The process that ${did} crashed (${signal}): a file is probably damaged. The end of its output is in the lake's service.log.`;
	}
	return `The process that ${did} ended with exit code ${code} and gave no reason. The end of its output is in the lake's service.log.`;
}
