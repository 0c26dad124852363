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

/** Puts pictures into the data file of a dataset, as the datasets library does: `first` in an episode's first frame. */
export async function addPictures(folder: string, first: Uint8Array, later: Uint8Array): Promise<void> {
	const info = path.join(folder, 'meta/info.json');
	const described = JSON.parse(await readFile(info, 'utf8')) as {features: Record<string, object>};
	described.features[camera] = {dtype: 'image', shape: [48, 64, 3], names: ['height', 'width', 'channels']};
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
