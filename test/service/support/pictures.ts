import {readFile, rename, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {encodePng} from '../../../source/picture/decode.ts';
import {withDuckDB} from '../../support/parquet.ts';

export const camera = 'observation.images.front';

/** A picture of one colour. */
export const plain = (width: number, height: number, colour: readonly number[]) =>
	encodePng({
		width,
		height,
		data: Uint8Array.from({length: width * height * 3}, (_, at) => colour[at % 3] ?? 0),
	});

const hex = (bytes: Uint8Array) => `unhex('${Buffer.from(bytes).toString('hex')}')`;

/** How LeRobot declares a camera of distances. */
export const depthCamera = {
	dtype: 'image',
	shape: [48, 64, 1],
	names: ['height', 'width', 'channels'],
	info: {is_depth_map: true, depth_unit: 'mm'},
};

/** Distances as PIL writes them without compression: a TIFF of one strip, 16 bits or floats. */
export function depthTiff(width: number, values: Uint16Array | Float32Array): Buffer {
	const isFloat = values instanceof Float32Array;
	const height = values.length / width;
	const entries: [tag: number, type: number, value: number][] = [
		[256, 4, width],
		[257, 4, height],
		[258, 3, isFloat ? 32 : 16],
		[259, 3, 1],
		[262, 3, 1],
		[273, 4, 8],
		[277, 3, 1],
		[278, 4, height],
		[279, 4, values.byteLength],
		[339, 3, isFloat ? 3 : 1],
	];
	const directory = Buffer.alloc(2 + entries.length * 12 + 4);
	directory.writeUInt16LE(entries.length, 0);
	for (const [place, [tag, type, value]] of entries.entries()) {
		const at = 2 + place * 12;
		directory.writeUInt16LE(tag, at);
		directory.writeUInt16LE(type, at + 2);
		directory.writeUInt32LE(1, at + 4);
		if (type === 3) directory.writeUInt16LE(value, at + 8);
		else directory.writeUInt32LE(value, at + 8);
	}
	const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
	head.writeUInt32LE(8 + values.byteLength, 4);
	return Buffer.concat([head, Buffer.from(values.buffer, values.byteOffset, values.byteLength), directory]);
}

/** Puts pictures into the data file of a dataset, as the datasets library does: `first` in an episode's first frame. */
export async function addPictures(
	folder: string,
	first: Uint8Array,
	later: Uint8Array,
	feature: object = {dtype: 'image', shape: [48, 64, 3], names: ['height', 'width', 'channels']},
): Promise<void> {
	const info = path.join(folder, 'meta/info.json');
	const described = JSON.parse(await readFile(info, 'utf8')) as {features: Record<string, object>};
	described.features[camera] = feature;
	await writeFile(info, JSON.stringify(described));
	const data = path.join(folder, 'data/chunk-000/file-000.parquet');
	await rename(data, `${data}.before`);
	await withDuckDB(async connection => {
		await connection.run(
			`COPY (SELECT *, {'bytes': CASE WHEN frame_index = 0 THEN ${hex(first)} ELSE ${hex(later)} END, 'path': NULL::VARCHAR}
				AS "${camera}" FROM read_parquet('${data}.before') ORDER BY index) TO '${data}' (FORMAT parquet)`,
		);
	});
}
