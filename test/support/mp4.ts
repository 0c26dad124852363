import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';

export type Mp4Options = {
	readonly frames: number;
	/** @default 10 */
	readonly fps?: number;
	/** How long frames last, in stretches; instead of `fps`. */
	readonly stretches?: readonly {readonly frames: number; readonly ticks: number}[];
	readonly width?: number;
	readonly height?: number;
	readonly fourcc?: string;
	/** Whether the header lies before the pictures. */
	readonly isFront?: boolean;
	/** More boxes in the header, or others in place of those of the same type. */
	readonly extra?: readonly Buffer[];
};

export function box(type: string, ...content: readonly Buffer[]): Buffer {
	const whole = Buffer.concat(content);
	const head = Buffer.alloc(8);
	head.writeUInt32BE(whole.length + 8);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, whole]);
}

export function words(...values: readonly number[]): Buffer {
	const buffer = Buffer.alloc(values.length * 4);
	for (const [place, value] of values.entries()) buffer.writeUInt32BE(value, place * 4);
	return buffer;
}

const timescale = 15_360;

/** An mp4 file with the header of a video of so many frames; its pictures are single bytes that nobody can decode. */
export function mp4(options: Mp4Options): Buffer {
	const {frames, fps = 10, width = 64, height = 48, fourcc = 'av01', isFront = true, extra = []} = options;
	const stretches = options.stretches ?? [{frames, ticks: Math.round(timescale / fps)}];
	const ticks = stretches.reduce((sum, stretch) => sum + stretch.frames * stretch.ticks, 0);
	const pictures = box('mdat', Buffer.alloc(frames));
	const sampleEntry = box(fourcc, Buffer.alloc(78));
	const table = box(
		'stbl',
		box('stsd', words(0, 1), sampleEntry),
		box('stts', words(0, stretches.length, ...stretches.flatMap(stretch => [stretch.frames, stretch.ticks]))),
		box('stsz', words(0, 0, frames), words(...Array.from({length: frames}, () => 1))),
	);
	const movie = box(
		'moov',
		box('mvhd', words(0, 0, 0, 1000, Math.round((ticks / timescale) * 1000)), Buffer.alloc(80)),
		...extra,
		box(
			'trak',
			box('tkhd', Buffer.alloc(76), words(width * 65_536, height * 65_536)),
			box(
				'mdia',
				box('mdhd', words(0, 0, 0, timescale, ticks, 0)),
				box('hdlr', words(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
				box('minf', table),
			),
		),
	);
	const type = box('ftyp', Buffer.from('isom'), words(512));
	return Buffer.concat(isFront ? [type, movie, pictures] : [type, pictures, movie]);
}

export async function writeMp4(file: string, options: Mp4Options): Promise<void> {
	await mkdir(path.dirname(file), {recursive: true});
	await writeFile(file, mp4(options));
}
