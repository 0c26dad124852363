import {PictureCounter, sampledFrames} from '../../lerobot/sample-pictures.ts';
import type {Ffmpeg} from './ffmpeg.ts';
import {FfmpegError, fileUrl} from './run-ffmpeg.ts';

/** A part of a video: so many frames from a moment on. */
export type VideoPart = {
	readonly file: string;
	readonly bytes: number;
	/** Seconds in the file. */
	readonly from: number;
	readonly fps: number;
	readonly frames: number;
};

/** Bytes that a picture may have: more than any camera of a robot gives. */
const mostPictureBytes = 24_000_000 * 3 + 64;

/**
 * Counts the values of the pictures of a video that LeRobot makes statistics of.
 *
 * @throws {FfmpegError} where it cannot be decoded, or ends before
 */
export async function sampleVideo(
	ffmpeg: Ffmpeg,
	{file, bytes, from, fps, frames}: VideoPart,
): Promise<PictureCounter> {
	const wanted = new Set(sampledFrames(frames));
	const last = Math.max(...wanted);
	const step = wanted.size > 1 ? (frames - 1) / (wanted.size - 1) : 1;
	// The picked frames are checked against the wanted ones: ffmpeg may be a frame more where one lies between two.
	const isPicked = (frame: number) => Math.abs(Math.round(frame / step) * step - frame) <= 0.5001;
	const picked = Array.from({length: last + 1}, (_, frame) => frame).filter(isPicked);
	const counter = new PictureCounter();
	const pictures = new PictureStream(picture => {
		if (wanted.has(picked[pictures.count] ?? -1)) counter.add(picture);
	});
	const early = from - 0.5 / fps;
	const seek = early > 0 ? ['-seek_timestamp', '1', '-ss', early.toFixed(6)] : [];
	const select = `select='lte(abs(round(n/${step})*${step}-n),0.5001)',setpts=N/25/TB`;
	const args = [
		...['-threads', '1', '-max_alloc', String(512 * 1024 * 1024), ...seek, '-i', fileUrl(file)],
		...['-map', '0:v:0', '-vf', select, '-r', '25', '-frames:v', String(picked.length)],
		...['-pix_fmt', 'rgb24', '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1'],
	];
	const mostBytes = picked.length * mostPictureBytes;
	await ffmpeg.run({args, bytes, files: [file], mostBytes, onOutput: chunk => pictures.take(chunk)});
	if (pictures.count !== picked.length) {
		throw new FfmpegError('failed', `it ends before frame ${last} of an episode`);
	}
	return counter;
}

const headerOf = /^P6\s(\d+)\s(\d+)\s255\s/;
const longestHeader = 64;

/** Pictures as `ppm` has them, one behind the other. */
class PictureStream {
	readonly #onPicture: (picture: {width: number; height: number; data: Uint8Array}) => void;
	/** Complete ones that were handed out. */
	count = 0;
	#rest: Buffer[] = [];
	#length = 0;
	#size: {width: number; height: number; start: number; end: number} | undefined;

	constructor(onPicture: (picture: {width: number; height: number; data: Uint8Array}) => void) {
		this.#onPicture = onPicture;
	}

	take(chunk: Buffer): void {
		this.#rest.push(chunk);
		this.#length += chunk.length;
		for (;;) {
			this.#size ??= this.#header();
			if (!this.#size || this.#length < this.#size.end) return;
			const {width, height, start, end} = this.#size;
			const all = this.#all();
			this.#onPicture({width, height, data: all.subarray(start, end)});
			this.count++;
			this.#size = undefined;
			this.#rest = [all.subarray(end)];
			this.#length = all.length - end;
		}
	}

	#header() {
		if (this.#length === 0) return undefined;
		const found = headerOf.exec(this.#all().toString('latin1', 0, longestHeader));
		if (!found) return undefined;
		const [width, height, start] = [Number(found[1]), Number(found[2]), found[0].length];
		return {width, height, start, end: start + width * height * 3};
	}

	#all(): Buffer {
		if (this.#rest.length > 1) this.#rest = [Buffer.concat(this.#rest)];
		return this.#rest[0] ?? Buffer.alloc(0);
	}
}
