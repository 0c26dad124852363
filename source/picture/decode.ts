import {promisify} from 'node:util';
import {inflate} from 'node:zlib';
import type {PixelSize, Pixels} from './pixels.ts';

/** Why something is no picture that is shown, in a few words. */
export class PictureError extends Error {
	override readonly name = 'PictureError';
}

export type PictureBounds = {
	/** Pixels that a picture may have. */
	readonly pixels: number;
};

/** A side that no camera has. */
const longestSide = 16_384;

/**
 * Decodes a PNG or a JPEG. Its header is checked before anything is allocated.
 *
 * @throws {PictureError}
 */
export async function decodePicture(bytes: Uint8Array, bounds: PictureBounds): Promise<Pixels> {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		if (isPng(buffer)) return await decodePng(buffer, bounds);
		if (buffer[0] === 0xff && buffer[1] === 0xd8) return await decodeJpeg(buffer, bounds);
	} catch (error) {
		if (error instanceof PictureError) throw error;
		throw new PictureError(`it is a broken picture: ${error instanceof Error ? error.message : error}`);
	}
	throw new PictureError('it is neither PNG nor JPEG');
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export const isPng = (buffer: Buffer): boolean => buffer.subarray(0, 8).equals(pngSignature);

/** The size in a PNG's header; undefined for another format. */
export function pngSize(bytes: Uint8Array): PixelSize | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.length < 33 || !buffer.subarray(0, 8).equals(pngSignature)) return undefined;
	return {width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20)};
}

/** @throws {PictureError} if the size is beyond the bounds */
export function requireSize({width, height}: PixelSize, {pixels}: PictureBounds): void {
	if (width < 1 || height < 1 || Math.max(width, height) > longestSide || width * height > pixels) {
		throw new PictureError(
			`it says that it has ${width} x ${height} pixels, and at most ${pixels} are shown`,
		);
	}
}

async function decodePng(buffer: Buffer, bounds: PictureBounds): Promise<Pixels> {
	const {width, height, depth, channels, data} = await decodePngSamples(buffer, bounds);
	return {width, height, data: withoutAlpha(data, width * height, channels, depth)};
}

/** The samples of a PNG as it has them, channel beside channel. */
export type DecodedSamples = PixelSize & {
	readonly depth: 8 | 16;
	readonly channels: number;
	readonly data: ArrayLike<number>;
};

/** @throws {PictureError} for a PNG that is cut off or beyond the bounds */
export async function decodePngSamples(buffer: Buffer, bounds: PictureBounds): Promise<DecodedSamples> {
	const size = pngSize(buffer);
	if (size === undefined) throw new PictureError('it is cut off');
	requireSize(size, bounds);
	await requireInflated(buffer, size);
	const {convertIndexedToRgb, decode} = await import('fast-png');
	const {width, height, depth, channels, palette, data} = decode(buffer);
	if (palette !== undefined) {
		const rgb = convertIndexedToRgb(decode(buffer));
		return {width, height, depth: 8, channels: rgb.length / (width * height), data: rgb};
	}
	if (depth !== 8 && depth !== 16) throw new PictureError(`it has ${depth} bits a pixel`);
	return {width, height, depth, channels, data};
}

/** The pixels as three bytes each; grey is three times the same. */
function withoutAlpha(data: ArrayLike<number>, count: number, channels: number, depth: 8 | 16): Uint8Array {
	const rgb = new Uint8Array(count * 3);
	const shift = depth - 8;
	const isGrey = channels < 3;
	for (let pixel = 0; pixel < count; pixel++) {
		for (let colour = 0; colour < 3; colour++) {
			rgb[pixel * 3 + colour] = (data[pixel * channels + (isGrey ? 0 : colour)] ?? 0) >> shift;
		}
	}
	return rgb;
}

const inflated = promisify(inflate) as (data: Buffer, options: {maxOutputLength: number}) => Promise<Buffer>;

/** A few bytes that inflate to gigabytes are refused before the decoder meets them. */
async function requireInflated(buffer: Buffer, {width, height}: PixelSize): Promise<void> {
	const parts: Buffer[] = [];
	for (let at = 8; at + 12 <= buffer.length; ) {
		const length = buffer.readUInt32BE(at);
		if (at + 12 + length > buffer.length) throw new PictureError('it is cut off');
		const type = buffer.toString('latin1', at + 4, at + 8);
		if (type === 'IDAT') parts.push(buffer.subarray(at + 8, at + 8 + length));
		// Texts and profiles may be compressed too, and are not shown.
		if (/^(?:iCCP|zTXt|iTXt|fcTL|fdAT)$/.test(type)) throw new PictureError(`it has a chunk ${type}`);
		at += 12 + length;
	}
	// Four samples of two bytes, a byte a row; interlaced it is seven times as many rows of a part of the width.
	const most = width * height * 8 + height * 8 + 64;
	await inflated(Buffer.concat(parts), {maxOutputLength: most});
}

async function decodeJpeg(buffer: Buffer, bounds: PictureBounds): Promise<Pixels> {
	const {default: jpeg} = await import('jpeg-js');
	const {width, height, data} = jpeg.decode(buffer, {
		useTArray: true,
		formatAsRGBA: false,
		maxResolutionInMP: bounds.pixels / 1e6,
		maxMemoryUsageInMB: 64 + Math.ceil(bounds.pixels / 1e6) * 24,
	});
	requireSize({width, height}, bounds);
	return {width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength)};
}

/** A picture as a PNG. */
export async function encodePng({width, height, data}: Pixels): Promise<Uint8Array> {
	const {encode} = await import('fast-png');
	return encode({width, height, data, channels: 3, depth: 8});
}
