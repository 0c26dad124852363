import {Worker} from 'node:worker_threads';
import type {VideoEncoder, VideoInput} from '../../sample/film.ts';
import {programEntry} from '../workers/program-entry.ts';
import {Ffmpeg} from './ffmpeg.ts';

/** Encoders that suit small drawn pictures, the first choice first; each picture must be complete in itself. */
const encoders: readonly {readonly name: string; readonly codec: string; readonly args: readonly string[]}[] =
	[
		{
			name: 'libx264',
			codec: 'h264',
			args: [
				...['-preset', 'ultrafast', '-tune', 'fastdecode', '-qp', '34'],
				...['-x264-params', 'keyint=1:scenecut=0:bframes=0:aq-mode=0'],
			],
		},
		{name: 'mpeg4', codec: 'mpeg4', args: ['-q:v', '6', '-g', '1']},
	];

/** The encoder of this machine's ffmpeg; undefined where there is none, or none that suits. */
export async function findEncoder(): Promise<VideoEncoder | undefined> {
	const ffmpeg = await Ffmpeg.find();
	if (!ffmpeg) return undefined;
	const names = new Set<string>();
	const onLine = (line: string) => {
		const name = /^\s*V\S{5}\s+(\S+)/.exec(line)?.[1];
		if (name !== undefined) names.add(name);
	};
	try {
		await ffmpeg.lines({args: ['-hide_banner', '-encoders'], bytes: 0, files: []}, onLine);
	} catch {
		return undefined;
	}
	const found = encoders.find(({name}) => names.has(name));
	if (!found) return undefined;
	const thread = new EncoderThread();
	return {
		codec: found.codec,
		begin: (file, video) => thread.begin({...video, file, name: found.name, args: found.args}),
	};
}

/** A video to encode. */
export type Video = {
	readonly file: string;
	readonly width: number;
	readonly height: number;
	readonly fps: number;
	/** The encoder, and its options. */
	readonly name: string;
	readonly args: readonly string[];
};

/** Of one video. */
export type ToThread = {readonly id: number} & (
	| {readonly is: 'begin'; readonly video: Video}
	| {readonly is: 'write'; readonly pictures: Uint8Array<ArrayBuffer>}
	| {readonly is: 'end' | 'abort'}
);
export type FromThread = {readonly id: number} & (
	| {readonly is: 'taken' | 'ended'}
	| {readonly is: 'failed'; readonly message: string}
);

/** A request that the thread has not answered yet. */
type Waiting = {resolve(): void; reject(error: Error): void};

/** Feeds ffmpeg from a thread of its own: who draws the pictures is busy, and ffmpeg would wait for every one. */
class EncoderThread {
	#worker: Worker | undefined;
	readonly #waiting = new Map<number, Waiting[]>();
	readonly #failures = new Map<number, Error>();
	#videos = 0;

	begin(video: Video): VideoInput {
		const id = this.#videos++;
		this.#waiting.set(id, []);
		this.#send({id, is: 'begin', video});
		this.#worker?.ref();
		return {
			// A copy of its own: the rest of its memory would go along.
			write: pictures => this.#ask({id, is: 'write', pictures: pictures.slice()}),
			end: () => this.#ask({id, is: 'end'}),
			abort: () =>
				this.#ask({id, is: 'abort'}).then(
					() => undefined,
					() => undefined,
				),
		};
	}

	#ask(message: ToThread): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		// It may be looked at much later.
		promise.catch(() => undefined);
		const waiting = this.#waiting.get(message.id);
		if (waiting) {
			waiting.push({resolve, reject});
			this.#send(message);
		} else reject(this.#failures.get(message.id) ?? new Error('The video has ended.'));
		return promise;
	}

	#send(message: ToThread): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(message);
	}

	#start(): Worker {
		const worker = new Worker(programEntry('embedded-service.js', 'main.ts'), {argv: ['encode-videos']});
		worker.on('message', (answer: FromThread) => {
			if (answer.is === 'failed') this.#fail(answer.id, new Error(answer.message));
			else if (answer.is === 'ended') this.#settle(answer.id);
			else this.#waiting.get(answer.id)?.shift()?.resolve();
		});
		const failAll = (error: Error) => {
			for (const id of this.#waiting.keys()) this.#fail(id, error);
		};
		worker.on('error', error => failAll(error as Error));
		worker.on('exit', () => failAll(new Error('The thread that encodes videos has ended.')));
		return worker;
	}

	#fail(id: number, error: Error): void {
		this.#failures.set(id, error);
		for (const {reject} of this.#waiting.get(id) ?? []) reject(error);
		this.#forget(id);
	}

	#settle(id: number): void {
		for (const {resolve} of this.#waiting.get(id) ?? []) resolve();
		this.#forget(id);
	}

	/** The thread holds the process for as long as it has something to encode. */
	#forget(id: number): void {
		this.#waiting.delete(id);
		if (this.#waiting.size === 0) this.#worker?.unref();
	}
}
