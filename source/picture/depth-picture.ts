import {
	type DecodedSamples,
	decodePngSamples,
	isPng,
	type PictureBounds,
	PictureError,
	requireSize,
} from './decode.ts';
import {fitWithin, type PixelSize, type Pixels} from './pixels.ts';

/** A distance a pixel, row after row; 0 and what is no number stand for none. */
export type DepthMap = PixelSize & {readonly values: ArrayLike<number>};

/** The distances between which a picture of them goes from bright to dark. */
export type DepthRange = {readonly near: number; readonly far: number};

/**
 * Decodes a depth map as LeRobot keeps it in data files: a TIFF of one uncompressed sample a pixel, or a PNG of 16 bits.
 *
 * @throws {PictureError}
 */
export async function decodeDepth(bytes: Uint8Array, bounds: PictureBounds): Promise<DepthMap> {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		if (isPng(buffer)) return firstSamples(await decodePngSamples(buffer, bounds));
		if (/^(?:II\*\0|MM\0\*)/.test(buffer.toString('latin1', 0, 4))) return decodeTiff(buffer, bounds);
	} catch (error) {
		if (error instanceof PictureError) throw error;
		throw new PictureError(`it is a broken depth map: ${error instanceof Error ? error.message : error}`);
	}
	throw new PictureError('its depth map is neither TIFF nor PNG');
}

function firstSamples({width, height, channels, data}: DecodedSamples): DepthMap {
	if (channels === 1) return {width, height, values: data};
	return {
		width,
		height,
		values: Float64Array.from({length: width * height}, (_, at) => data[at * channels] ?? 0),
	};
}

/** Tags of a TIFF's directory that say how its samples lie. */
const tags = {
	width: 256,
	height: 257,
	bits: 258,
	compression: 259,
	offsets: 273,
	samples: 277,
	counts: 279,
	format: 339,
} as const;

/** Bytes of a value by the field's type; others hold nothing that is read. */
const typeBytes: Readonly<Record<number, number>> = {3: 2, 4: 4};

/** No more strips than rows, and no camera has more rows. */
const mostValues = 16_384;

function decodeTiff(buffer: Buffer, bounds: PictureBounds): DepthMap {
	const isLittle = buffer[0] === 0x49;
	const u16 = (at: number) => (isLittle ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at));
	const u32 = (at: number) => (isLittle ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at));
	const fields = new Map<number, number[]>();
	const directory = u32(4);
	for (let entry = 0; entry < u16(directory); entry++) {
		const at = directory + 2 + entry * 12;
		const [type, count] = [u16(at + 2), u32(at + 4)];
		const size = typeBytes[type];
		if (size === undefined || count > mostValues) continue;
		const from = count * size <= 4 ? at + 8 : u32(at + 8);
		const value = (place: number) => (size === 2 ? u16(from + place * 2) : u32(from + place * 4));
		fields.set(
			u16(at),
			Array.from({length: count}, (_, place) => value(place)),
		);
	}
	const one = (tag: keyof typeof tags, otherwise: number) => fields.get(tags[tag])?.[0] ?? otherwise;
	const [width, height, bits, format] = [one('width', 0), one('height', 0), one('bits', 1), one('format', 1)];
	requireSize({width, height}, bounds);
	const isFloat = format === 3 && bits === 32;
	if (one('compression', 1) !== 1 || one('samples', 1) !== 1 || !(isFloat || (format === 1 && bits === 16))) {
		throw new PictureError(
			`its depth map is a TIFF of ${bits} bits (format ${format}, compression ${one('compression', 1)}), and those that LeRobot writes are read alone: one uncompressed sample of 16 bits or a float`,
		);
	}
	const counts = fields.get(tags.counts) ?? [];
	const strips = (fields.get(tags.offsets) ?? []).map((from, place) =>
		buffer.subarray(from, from + (counts[place] ?? 0)),
	);
	const samples = Buffer.concat(strips);
	const bytes = bits / 8;
	if (samples.length < width * height * bytes) throw new PictureError('its depth map is cut off');
	const read = (at: number) => {
		if (isFloat) return isLittle ? samples.readFloatLE(at) : samples.readFloatBE(at);
		return isLittle ? samples.readUInt16LE(at) : samples.readUInt16BE(at);
	};
	return {width, height, values: Float32Array.from({length: width * height}, (_, at) => read(at * bytes))};
}

/** The share of the distances at either end that does not widen the range: single pixels are often far off. */
const outliers = 0.01;

/** Greys of the nearest and the farthest; pixels without a distance are black. */
const greys = {near: 255, far: 48} as const;

/**
 * Distances as a picture: the nearer, the brighter.
 *
 * @param side pixels of the longer side at most; each is one of the map's, as a mean of two distances is neither
 */
export function depthPixels(
	map: DepthMap,
	side: number,
): {readonly pixels: Pixels; readonly range: DepthRange | undefined} {
	const {width, height} = fitWithin(map, {width: side, height: side});
	const shown = Float64Array.from({length: width * height}, (_, at) => {
		const row = Math.floor(((Math.floor(at / width) + 0.5) * map.height) / height);
		const column = Math.floor((((at % width) + 0.5) * map.width) / width);
		return map.values[row * map.width + column] ?? 0;
	});
	const sorted = shown.filter(isDistance).sort();
	const near = sorted[Math.floor(outliers * (sorted.length - 1))];
	const far = sorted[Math.ceil((1 - outliers) * (sorted.length - 1))];
	const data = new Uint8Array(width * height * 3);
	if (near === undefined || far === undefined) return {pixels: {width, height, data}, range: undefined};
	for (const [at, value] of shown.entries()) {
		if (!isDistance(value)) continue;
		const share = far === near ? 0 : Math.min(1, Math.max(0, (value - near) / (far - near)));
		data.fill(Math.round(greys.near - share * (greys.near - greys.far)), at * 3, at * 3 + 3);
	}
	return {pixels: {width, height, data}, range: {near, far}};
}

const isDistance = (value: number) => Number.isFinite(value) && value > 0;
