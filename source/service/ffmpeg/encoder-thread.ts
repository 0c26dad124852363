import {mkdirSync} from 'node:fs';
import path from 'node:path';
import type {Writable} from 'node:stream';
import {parentPort} from 'node:worker_threads';
import {reasonOf} from '../../lerobot/dataset-error.ts';
import type {FromThread, ToThread, Video} from './encode-video.ts';
import {Ffmpeg} from './ffmpeg.ts';
import {fileUrl} from './run-ffmpeg.ts';

type Encoding = {
	readonly input: Writable | undefined;
	readonly run: Promise<void>;
	readonly stop: AbortController;
};

/** The thread that feeds ffmpeg, one run a video. */
export async function runEncoders(): Promise<void> {
	const ffmpeg = await Ffmpeg.find();
	const port = parentPort;
	if (!ffmpeg || !port) return;
	const say = (answer: FromThread) => port.postMessage(answer);
	const encodings = new Map<number, Encoding>();
	const take = (message: ToThread) => {
		const {id} = message;
		if (message.is === 'begin') {
			const encoding = begin(ffmpeg, message.video);
			encoding.run.catch(error => say({id, is: 'failed', message: reasonOf(error)}));
			encodings.set(id, encoding);
			return;
		}
		const encoding = encodings.get(id);
		if (message.is === 'write') {
			encoding?.input?.write(message.pictures, error => !error && say({id, is: 'taken'}));
			return;
		}
		if (message.is === 'end') encoding?.input?.end();
		else encoding?.stop.abort();
		encoding?.run.then(
			() => say({id, is: 'ended'}),
			() => undefined,
		);
	};
	// Until its owner ends.
	await new Promise<never>(() => port.on('message', take));
}

function begin(ffmpeg: Ffmpeg, {file, width, height, fps, name, args}: Video): Encoding {
	mkdirSync(path.dirname(file), {recursive: true});
	const stop = new AbortController();
	let input: Writable | undefined;
	const run = ffmpeg.run({
		args: [
			...['-threads', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`],
			...['-r', String(fps), '-i', 'pipe:0', '-threads', '1', '-c:v', name, ...args],
			// The same pictures give the same bytes.
			...['-pix_fmt', 'yuv420p', '-fflags', '+bitexact', '-flags:v', '+bitexact', fileUrl(file)],
		],
		// It goes on for as long as pictures come.
		bytes: Number.MAX_SAFE_INTEGER,
		files: [file],
		onInput: stdin => {
			input = stdin;
		},
		signal: stop.signal,
	});
	return {input, run, stop};
}
