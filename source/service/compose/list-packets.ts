import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {fileUrl} from '../ffmpeg/run-ffmpeg.ts';
import {UncutError} from './uncut.ts';

/** The encoded pictures of a video, in the order in which they are decoded. */
type Packets = {
	/** When each is shown, in ticks. */
	readonly shown: readonly number[];
	/** How long each is shown, in ticks. */
	readonly lasting: readonly number[];
	readonly bytes: readonly number[];
	/** The checksum of each one's bytes, as ffmpeg writes it. */
	readonly sums: readonly string[];
	/** True if a decoder may begin with it. */
	readonly keys: readonly boolean[];
};

export type ListedVideo = Packets & {
	/** Codec, size and parameters: streams of which all that is alike can be joined. */
	readonly kind: string;
	/** Ticks in a second. */
	readonly rate: number;
};

/** More than 18 hours at 30 frames a second. */
const mostPackets = 2_000_000;
const bytesOfLine = 256;

/** Flags of a packet as libavcodec numbers them: a decoder may begin with it; broken, or not to be shown. */
const keyFlag = 1;
const unfitFlags = 2 | 4;

/**
 * Lists a video's packets by the `framecrc` output of ffmpeg, which names key frames too, so that no ffprobe is needed.
 * Lines are `stream, dts, pts, duration, size, checksum[, F=flags][, S=side data]`, flags only where they are not those of
 * a key frame (libavformat/framecrcenc.c).
 *
 * @throws {UncutError} where it is no video that can be cut
 * @throws {FfmpegError}
 */
export async function listPackets(ffmpeg: Ffmpeg, file: string, bytes: number): Promise<ListedVideo> {
	const found = {
		shown: [] as number[],
		lasting: [] as number[],
		bytes: [] as number[],
		sums: [] as string[],
		keys: [] as boolean[],
	};
	const kind: string[] = [];
	let rate = 0;
	let flaw: string | undefined;
	const readHeader = (name: string, stream: string, value: string) => {
		if (stream !== '0' || (name === 'media_type' && value !== 'video')) {
			flaw ??= 'it holds more than one stream';
		} else if (name === 'tb') {
			const [ticks, perSecond] = value.split('/').map(Number);
			if (ticks !== 1 || !perSecond) flaw ??= `its unit of time is ${value.slice(0, 20)} s`;
			else rate = perSecond;
		} else if (name !== 'media_type') {
			kind.push(`${name} ${value}`);
		}
	};
	const readPacket = (line: string) => {
		const [stream, , shown, lasting, size, sum = '', ...more] = line.split(',').map(part => part.trim());
		const flags = Number(more.find(part => part.startsWith('F='))?.slice(2) ?? keyFlag);
		const [at, long, length] = [Number(shown), Number(lasting), Number(size)];
		if (stream !== '0') flaw ??= 'it holds more than one stream';
		else if (![at, long, length, flags].every(Number.isSafeInteger) || !/^0x[0-9a-f]{8}$/.test(sum))
			flaw ??= 'ffmpeg does not list its frames in a form that is known';
		else if (at < 0) flaw ??= 'it begins before its own start';
		else if (more.some(part => part.startsWith('S='))) flaw ??= 'its parameters change on the way';
		else if ((flags & unfitFlags) !== 0) flaw ??= 'some of its frames are not to be shown';
		if (found.sums.length >= mostPackets) flaw ??= `it has more than ${mostPackets} frames`;
		if (flaw !== undefined) return;
		found.shown.push(at);
		found.lasting.push(long);
		found.bytes.push(length);
		found.sums.push(sum);
		found.keys.push((flags & keyFlag) !== 0);
	};
	const args = ['-copyts', '-i', fileUrl(file), '-map', '0', '-c', 'copy', '-f', 'framecrc', 'pipe:1'];
	await ffmpeg.lines({args, bytes, files: [file], mostBytes: mostPackets * bytesOfLine}, line => {
		if (flaw !== undefined || line.trim() === '') return;
		const header = /^#(\w+) (\d+): *(.*)$/.exec(line);
		if (header) readHeader(header[1] ?? '', header[2] ?? '', header[3] ?? '');
		else if (!line.startsWith('#')) readPacket(line);
	});
	if (flaw !== undefined) throw new UncutError(flaw);
	if (rate === 0 || found.sums.length === 0) throw new UncutError('ffmpeg finds no frame in it');
	return {...found, kind: kind.join('\n'), rate};
}
