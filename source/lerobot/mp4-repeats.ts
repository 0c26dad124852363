import {readFile, writeFile} from 'node:fs/promises';
import {Mp4Error} from './mp4-header.ts';

/** Ticks of a frame; the timescale follows from the rate. */
const frameTicks = 512;

/**
 * Makes each picture of a video stand for several frames, by the tables of its header alone: the frames name the same
 * bytes. Each picture must be complete in itself (a key frame), and the header must lie behind the pictures.
 *
 * @param frames for each picture how many frames it stands for.
 * @throws {Mp4Error}
 */
export async function repeatPictures(file: string, frames: readonly number[], fps: number): Promise<void> {
	const content = await readFile(file);
	const movie = boxesIn(content).find(({type}) => type === 'moov');
	if (!movie) throw new Mp4Error('has no header (moov)');
	const pictures = picturesOf(movie.body);
	if (pictures.length !== frames.length) {
		throw new Mp4Error(`has ${pictures.length} pictures instead of ${frames.length}`);
	}
	const shown = frames.flatMap((times, place) => new Array<Picture>(times).fill(pictures[place] as Picture));
	const header = rebuilt(movie.body, shown, fps);
	await writeFile(file, Buffer.concat([content.subarray(0, movie.start), box('moov', header)]));
}

type Box = {readonly type: string; readonly start: number; readonly body: Buffer};

/** Where a picture lies in the file. */
type Picture = {readonly offset: number; readonly bytes: number};

function boxesIn(content: Buffer): Box[] {
	const boxes: Box[] = [];
	for (let start = 0; start + 8 <= content.length; ) {
		const size = content.readUInt32BE(start);
		if (size < 8 || start + size > content.length) throw new Mp4Error('has boxes that are not understood');
		boxes.push({
			type: content.toString('latin1', start + 4, start + 8),
			start,
			body: content.subarray(start + 8, start + size),
		});
		start += size;
	}
	return boxes;
}

function picturesOf(movie: Buffer): Picture[] {
	let tables = movie;
	for (const type of ['trak', 'mdia', 'minf', 'stbl']) tables = boxOf(tables, type);
	const [sizes, chunks, runs] = ['stsz', 'stco', 'stsc'].map(type => boxOf(tables, type)) as [
		Buffer,
		Buffer,
		Buffer,
	];
	const equal = sizes.readUInt32BE(4);
	const count = sizes.readUInt32BE(8);
	const pictures: Picture[] = [];
	let run = 0;
	for (let chunk = 0; chunk < chunks.readUInt32BE(4); chunk++) {
		let offset = chunks.readUInt32BE(8 + chunk * 4);
		// A run of chunks with equally many pictures begins at a chunk that is counted from 1.
		while (run + 1 < runs.readUInt32BE(4) && runs.readUInt32BE(8 + (run + 1) * 12) <= chunk + 1) run++;
		for (let left = runs.readUInt32BE(12 + run * 12); left > 0 && pictures.length < count; left--) {
			const bytes = equal || sizes.readUInt32BE(12 + pictures.length * 4);
			pictures.push({offset, bytes});
			offset += bytes;
		}
	}
	return pictures;
}

function boxOf(content: Buffer, type: string): Buffer {
	const found = boxesIn(content).find(each => each.type === type);
	if (!found) throw new Mp4Error(`has a header without "${type}"`);
	return found.body;
}

/** A header's boxes, those that speak of frames and of time written anew. */
function rebuilt(content: Buffer, shown: readonly Picture[], fps: number): Buffer {
	const timescale = Math.round(fps * frameTicks);
	const seconds = shown.length / fps;
	const parts = boxesIn(content).map(({type, body}): Buffer => {
		switch (type) {
			case 'trak':
			case 'mdia':
			case 'minf':
			case 'stbl':
				return box(type, rebuilt(body, shown, fps));
			// Without a list of edits the track begins with its first frame; without one of key frames all are.
			case 'edts':
			case 'stss':
				return Buffer.alloc(0);
			case 'mvhd':
				return box(type, withNumbers(body, {16: Math.round(seconds * body.readUInt32BE(12))}));
			case 'tkhd':
				return box(type, withNumbers(body, {20: Math.round(seconds * 1000)}));
			case 'mdhd':
				return box(type, withNumbers(body, {12: timescale, 16: shown.length * frameTicks}));
			case 'stts':
				return box(type, numbers([0, 1, shown.length, frameTicks]));
			case 'stsc':
				return box(type, numbers([0, 1, 1, 1, 1]));
			case 'stsz':
				return box(type, numbers([0, 0, shown.length, ...shown.map(({bytes}) => bytes)]));
			case 'stco':
				return box(type, numbers([0, shown.length, ...shown.map(({offset}) => offset)]));
			default:
				return box(type, body);
		}
	});
	return Buffer.concat(parts);
}

function box(type: string, body: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(8 + body.length);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, body]);
}

function numbers(values: readonly number[]): Buffer {
	const buffer = Buffer.alloc(values.length * 4);
	for (const [place, value] of values.entries()) buffer.writeUInt32BE(value, place * 4);
	return buffer;
}

function withNumbers(body: Buffer, values: Readonly<Record<number, number>>): Buffer {
	const changed = Buffer.from(body);
	for (const [at, value] of Object.entries(values)) changed.writeUInt32BE(value, Number(at));
	return changed;
}
