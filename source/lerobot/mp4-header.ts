import {type FileHandle, open, stat} from 'node:fs/promises';
import {reasonOf} from './dataset-error.ts';

/** Why a video file's header cannot be read: the end of a sentence about the file. */
export class Mp4Error extends Error {
	override readonly name = 'Mp4Error';
}

/** The first video track of a file, as its header says; nothing is decoded. */
export type Mp4Header = {
	/** Of the whole file, by its movie header. */
	readonly seconds: number;
	/** Of the track: what its frames last together. */
	readonly trackSeconds: number;
	/** Ticks in a second. */
	readonly timescale: number;
	/** Frames that lie in the file. */
	readonly frames: number;
	/** How long each frame lasts, in stretches of equal ones, in the order of decoding. */
	readonly stretches: readonly {readonly frames: number; readonly ticks: number}[];
	/** As it is shown. */
	readonly width: number;
	readonly height: number;
	/** As LeRobot names it: `av1`, `h264`, `hevc`, …; the four characters of the file where it has no name for them. */
	readonly codec: string;
};

/** Bytes that a header may have: hours of video take some megabytes. */
const maxHeaderBytes = 64 * 1024 * 1024;
/** Boxes that may lie beside each other. */
const maxBoxes = 65_536;

const codecs: Readonly<Record<string, string>> = {
	av01: 'av1',
	avc1: 'h264',
	avc3: 'h264',
	hvc1: 'hevc',
	hev1: 'hevc',
	vp08: 'vp8',
	vp09: 'vp9',
	mp4v: 'mpeg4',
};

/**
 * Reads the header (`moov`) of an mp4 file, wherever it lies. What it reads is bounded by the header's own size.
 *
 * @throws {Mp4Error} where there is none, or it contradicts itself.
 */
export async function readMp4Header(file: string): Promise<Mp4Header> {
	try {
		// Before opening it: opening a named pipe would block.
		const stats = await stat(file);
		if (!stats.isFile()) throw new Mp4Error('is not a file');
		if (stats.size === 0) throw new Mp4Error('is empty');
		const handle = await open(file);
		try {
			return headerIn(await movieBox(handle, stats.size), stats.size);
		} finally {
			await handle.close();
		}
	} catch (error) {
		if (error instanceof Mp4Error) throw error;
		throw new Mp4Error(`cannot be read (${reasonOf(error)})`);
	}
}

/** The farthest that a frame of a file lies from where it would at this rate, in seconds, and which frame that is. */
export function farthestFromGrid(
	{stretches, timescale}: Mp4Header,
	fps: number,
): {readonly seconds: number; readonly frame: number} {
	let farthest = {seconds: 0, frame: 0};
	let frame = 0;
	let ticks = 0;
	for (const stretch of stretches) {
		// Within a stretch the distance grows or shrinks steadily: its first and last frames have the extremes.
		for (const within of [0, stretch.frames - 1]) {
			const at = frame + within;
			const seconds = Math.abs((ticks + within * stretch.ticks) / timescale - at / fps);
			if (seconds > farthest.seconds) farthest = {seconds, frame: at};
		}
		frame += stretch.frames;
		ticks += stretch.frames * stretch.ticks;
	}
	return farthest;
}

/** Frames a second, from the length of most frames. */
export function frameRate({stretches, timescale}: Mp4Header): number {
	const frames = new Map<number, number>();
	for (const stretch of stretches) {
		frames.set(stretch.ticks, (frames.get(stretch.ticks) ?? 0) + stretch.frames);
	}
	const [usual] = [...frames].sort(([, a], [, b]) => b - a);
	return usual === undefined || usual[0] === 0 ? 0 : timescale / usual[0];
}

/** Finds the movie box among those at the top of the file, which are stepped over unread. */
async function movieBox(handle: FileHandle, fileSize: number): Promise<Buffer> {
	const head = Buffer.alloc(16);
	let at = 0;
	for (let box = 0; at + 8 <= fileSize; box++) {
		if (box === maxBoxes) throw new Mp4Error(`has more than ${maxBoxes} boxes before its header`);
		const {bytesRead} = await handle.read(head, 0, 16, at);
		if (bytesRead < 8) break;
		const type = head.toString('latin1', 4, 8);
		if (box === 0 && !/^[\x20-\x7e]{4}$/.test(type)) throw new Mp4Error('is not an mp4 file');
		let start = 8;
		let size = head.readUInt32BE(0);
		if (size === 1) {
			if (bytesRead < 16) break;
			start = 16;
			size = Number(head.readBigUInt64BE(8));
		} else if (size === 0) size = fileSize - at;
		if (size < start) throw new Mp4Error(`has a box "${visible(type)}" of ${size} bytes`);
		if (at + size > fileSize) {
			throw new Mp4Error(`ends within its box "${visible(type)}": its writing was cut off`);
		}
		if (type === 'moov') {
			if (size > maxHeaderBytes) throw new Mp4Error(`has a header of ${size} bytes`);
			const content = Buffer.alloc(size - start);
			const read = await handle.read(content, 0, content.length, at + start);
			if (read.bytesRead < content.length) throw new Mp4Error('ends within its header');
			return content;
		}
		at += size;
	}
	throw new Mp4Error('has no header (moov): it is not an mp4 file, or its writing was cut off');
}

const visible = (type: string) => type.replace(/[^\x20-\x7e]/g, '?');

/** The boxes that lie in another, by type, in their order. */
function boxesIn(content: Buffer): {type: string; content: Buffer}[] {
	const boxes: {type: string; content: Buffer}[] = [];
	let at = 0;
	while (at + 8 <= content.length) {
		if (boxes.length === maxBoxes) throw new Mp4Error(`has more than ${maxBoxes} boxes in its header`);
		const type = content.toString('latin1', at + 4, at + 8);
		let start = 8;
		let size = content.readUInt32BE(at);
		if (size === 1 && at + 16 <= content.length) {
			start = 16;
			size = Number(content.readBigUInt64BE(at + 8));
		} else if (size === 0) size = content.length - at;
		if (size < start || at + size > content.length) {
			throw new Mp4Error(`has a damaged header: its box "${visible(type)}" has ${size} bytes`);
		}
		boxes.push({type, content: content.subarray(at + start, at + size)});
		at += size;
	}
	return boxes;
}

function boxIn(content: Buffer, type: string): Buffer {
	const found = boxesIn(content).find(box => box.type === type);
	if (!found) throw new Mp4Error(`has a header without "${type}"`);
	return found.content;
}

/** Bytes from a place on, which must lie in the box. */
function bytes(content: Buffer, at: number, length: number): Buffer {
	if (at + length > content.length) throw new Mp4Error('has a damaged header: a box is cut off');
	return content.subarray(at, at + length);
}

const uint32 = (content: Buffer, at: number) => bytes(content, at, 4).readUInt32BE();
const uint64 = (content: Buffer, at: number) => Number(bytes(content, at, 8).readBigUInt64BE());

/** Of a movie's or a medium's header. */
function durationIn(content: Buffer): {timescale: number; ticks: number} {
	const isLong = bytes(content, 0, 4)[0] === 1;
	const timescale = uint32(content, isLong ? 20 : 12);
	if (timescale === 0) throw new Mp4Error('has a damaged header: a second has 0 ticks');
	return {timescale, ticks: isLong ? uint64(content, 24) : uint32(content, 16)};
}

function headerIn(movie: Buffer, fileSize: number): Mp4Header {
	const boxes = boxesIn(movie);
	if (boxes.some(({type}) => type === 'mvex')) {
		throw new Mp4Error('is fragmented: its header does not say how many frames it has');
	}
	const whole = durationIn(boxIn(movie, 'mvhd'));
	for (const {type, content} of boxes) {
		if (type !== 'trak') continue;
		const media = boxIn(content, 'mdia');
		if (bytes(boxIn(media, 'hdlr'), 8, 4).toString('latin1') !== 'vide') continue;
		const {timescale, ticks} = durationIn(boxIn(media, 'mdhd'));
		const table = boxIn(boxIn(media, 'minf'), 'stbl');
		const frames = framesIn(boxIn(table, 'stsz'), fileSize);
		const stretches = stretchesIn(boxIn(table, 'stts'));
		const timed = stretches.reduce((sum, stretch) => sum + stretch.frames, 0);
		if (timed !== frames) {
			throw new Mp4Error(`has a header that contradicts itself: ${frames} frames, and times for ${timed}`);
		}
		const track = boxIn(content, 'tkhd');
		const sizeAt = bytes(track, 0, 4)[0] === 1 ? 88 : 76;
		const fourcc = bytes(boxIn(table, 'stsd'), 12, 4).toString('latin1');
		return {
			seconds: whole.ticks / whole.timescale,
			trackSeconds: ticks / timescale,
			timescale,
			frames,
			stretches,
			width: Math.round(uint32(track, sizeAt) / 65_536),
			height: Math.round(uint32(track, sizeAt + 4) / 65_536),
			codec: codecs[fourcc] ?? visible(fourcc),
		};
	}
	throw new Mp4Error('has no video track');
}

function framesIn(sizes: Buffer, fileSize: number): number {
	const each = uint32(sizes, 4);
	const frames = uint32(sizes, 8);
	if (each === 0) bytes(sizes, 12, frames * 4);
	else if (frames * each > fileSize)
		throw new Mp4Error(`has a damaged header: ${frames} frames do not fit in it`);
	return frames;
}

function stretchesIn(times: Buffer): {frames: number; ticks: number}[] {
	const entries = uint32(times, 4);
	bytes(times, 8, entries * 8);
	return Array.from({length: entries}, (_, entry) => ({
		frames: times.readUInt32BE(8 + entry * 8),
		ticks: times.readUInt32BE(12 + entry * 8),
	})).filter(({frames}) => frames > 0);
}
