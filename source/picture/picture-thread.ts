import {existsSync} from 'node:fs';
import path from 'node:path';
import {Worker} from 'node:worker_threads';
import type {CardBlock} from './card-blocks.ts';
import {type PictureBounds, PictureError} from './decode.ts';
import type {EncodedSize, PictureTask} from './picture-tasks.ts';
import type {Pixels} from './pixels.ts';

export type PictureAnswer =
	| {readonly is: 'pixels'; readonly pixels: Pixels}
	| {readonly is: 'text'; readonly text: string}
	| {readonly is: 'card'; readonly blocks: readonly CardBlock[]}
	| {readonly is: 'refused'; readonly message: string};

type Waiting = {
	readonly task: PictureTask;
	readonly signal: AbortSignal;
	readonly resolve: (answer: PictureAnswer) => void;
	readonly reject: (error: unknown) => void;
};

/** No camera's picture takes so long, and no card's Markdown; one that was made to does. */
const withinMs = {decode: 20_000, encode: 20_000, card: 3000} as const;

/** A thread that has had nothing to do for so long ends; the next picture starts one, in some 50 ms. */
const idleMs = 5000;

/** The thread's program: beside the bundle, whose chunks lie a folder deeper, or in the source. */
function workerEntry(): string {
	const here = import.meta.dirname;
	const places = [here, path.dirname(here)].map(folder => path.join(folder, 'picture-worker.js'));
	return places.find(place => existsSync(place)) ?? path.join(here, 'picture-worker.ts');
}

function startWorker(): Worker {
	const worker = new Worker(workerEntry());
	// A failure rejects its promise; one without a listener is no reason to end the program.
	worker.on('error', () => undefined);
	worker.unref();
	return worker;
}

/** Decodes and encodes pictures and reads cards in a thread, one at a time, so that no key waits for it. */
export class PictureThread {
	readonly #queue: Waiting[] = [];
	#worker: Worker | undefined;
	#isBusy = false;
	#idle: NodeJS.Timeout | undefined;

	/**
	 * A PNG or JPEG as pixels, its longer side at most `side`.
	 *
	 * @throws {PictureError}
	 */
	async decode(
		bytes: Uint8Array,
		how: {bounds: PictureBounds; side: number; signal: AbortSignal},
	): Promise<Pixels> {
		const {signal, ...rest} = how;
		const answer = await this.#put({is: 'decode', bytes, ...rest}, signal);
		if (answer.is === 'pixels') return answer.pixels;
		throw new PictureError(answer.is === 'refused' ? answer.message : 'it was not decoded');
	}

	/** A picture as a terminal takes it. */
	async encode(pixels: Pixels, wanted: EncodedSize, signal: AbortSignal): Promise<string> {
		const answer = await this.#put({is: 'encode', pixels, wanted}, signal);
		if (answer.is === 'text') return answer.text;
		throw new PictureError(answer.is === 'refused' ? answer.message : 'it was not encoded');
	}

	/**
	 * Parses a card's Markdown.
	 *
	 * @throws {PictureError} or what the reader fails with: the card cannot be read, or not in time.
	 */
	async readCard(markdown: string, signal: AbortSignal): Promise<readonly CardBlock[]> {
		const answer = await this.#put({is: 'card', markdown}, signal);
		if (answer.is === 'card') return answer.blocks;
		throw new PictureError('it was not read');
	}

	#put(task: PictureTask, signal: AbortSignal): Promise<PictureAnswer> {
		return new Promise((resolve, reject) => {
			this.#queue.push({task, signal, resolve, reject});
			this.#next();
		});
	}

	#next(): void {
		if (this.#isBusy) return;
		const waiting = this.#queue.shift();
		if (waiting === undefined) return;
		if (waiting.signal.aborted) {
			waiting.reject(waiting.signal.reason);
			this.#next();
			return;
		}
		this.#isBusy = true;
		void this.#run(waiting).finally(() => {
			this.#isBusy = false;
			this.#next();
		});
	}

	async #run({task, resolve, reject}: Waiting): Promise<void> {
		clearTimeout(this.#idle);
		const worker = this.#worker ?? startWorker();
		this.#worker = worker;
		const {promise, resolve: settle} = Promise.withResolvers<PictureAnswer | Error>();
		const late = setTimeout(() => settle(new PictureError('it takes too long to decode')), withinMs[task.is]);
		const ended = () => settle(new PictureError('its decoding was ended'));
		worker.once('message', settle);
		worker.once('error', settle);
		worker.once('exit', ended);
		worker.postMessage(task);
		const answer = await promise;
		clearTimeout(late);
		worker.off('message', settle);
		worker.off('error', settle);
		worker.off('exit', ended);
		if (answer instanceof Error) {
			// A thread that failed or stands still is of no use to the next picture.
			this.#worker = undefined;
			void worker.terminate();
			reject(answer);
		} else {
			this.#idle = setTimeout(() => this.#end(), idleMs).unref();
			resolve(answer);
		}
	}

	#end(): void {
		void this.#worker?.terminate();
		this.#worker = undefined;
	}
}
