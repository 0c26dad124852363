import {existsSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {Worker} from 'node:worker_threads';

/** A piece of a file to be hashed. */
export type HashTask = {readonly file: string; readonly offset: number; readonly length: number};

export type HashAnswer =
	| {readonly kind: 'hashed'; readonly sha256: string}
	/** The file ends before the piece does. */
	| {readonly kind: 'short'}
	| {readonly kind: 'unreadable'; readonly code: string | undefined; readonly message: string};

type Waiting = {
	readonly task: HashTask;
	readonly resolve: (answer: HashAnswer) => void;
	readonly reject: (error: Error) => void;
};

/** More threads than this wait for the disk, not for each other. */
const mostThreads = 4;

/** The thread's program: beside the bundle, whose chunks lie a folder deeper, or in the source. */
function workerEntry(): string {
	const here = import.meta.dirname;
	const places = [path.join(here, 'hash-worker.js'), path.join(path.dirname(here), 'hash-worker.js')];
	return places.find(place => existsSync(place)) ?? path.join(here, 'hash-worker.ts');
}

/** Threads that hash, started as there is work for them. */
export class HashPool {
	readonly #most: number;
	readonly #idle: Worker[] = [];
	readonly #threads = new Map<Worker, Waiting | undefined>();
	readonly #queue: Waiting[] = [];
	#closed = false;

	/** @param threads how many at most. @default one a core, up to four */
	constructor(threads = Math.min(mostThreads, availableParallelism())) {
		this.#most = threads;
	}

	hash(task: HashTask): Promise<HashAnswer> {
		return new Promise((resolve, reject) => {
			this.#queue.push({task, resolve, reject});
			this.#assign();
		});
	}

	/** Ends the threads; what is still waited for is rejected. */
	async close(): Promise<void> {
		this.#closed = true;
		const threads = [...this.#threads.keys()];
		// A slow disk holds a thread up, but not its caller.
		const waiting = [...this.#queue.splice(0), ...this.#threads.values()];
		for (const each of waiting) each?.reject(new Error('The hashing was ended.'));
		await Promise.all(threads.map(thread => thread.terminate()));
	}

	#assign(): void {
		while (this.#queue.length > 0 && !this.#closed) {
			const thread = this.#idle.pop() ?? this.#start();
			if (!thread) return;
			const waiting = this.#queue.shift();
			this.#threads.set(thread, waiting);
			thread.postMessage(waiting?.task);
		}
	}

	#start(): Worker | undefined {
		if (this.#threads.size >= this.#most) return undefined;
		const thread = new Worker(workerEntry());
		this.#threads.set(thread, undefined);
		let failure: Error | undefined;
		thread.on('message', (answer: HashAnswer) => {
			this.#threads.get(thread)?.resolve(answer);
			this.#threads.set(thread, undefined);
			this.#idle.push(thread);
			this.#assign();
		});
		thread.on('error', error => {
			failure = error as Error;
		});
		thread.on('exit', () => {
			this.#threads.get(thread)?.reject(failure ?? new Error('The hashing was ended.'));
			this.#threads.delete(thread);
			this.#assign();
		});
		return thread;
	}
}
