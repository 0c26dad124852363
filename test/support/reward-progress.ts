import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {withDuckDB} from './parquet.ts';

/**
 * Writes the progress of a reward model into a folder.
 *
 * @param rows a query that gives `index`, `episode_index`, `frame_index` and the heads.
 * @param metadata the file's own keys.
 */
export async function writeProgress(
	folder: string,
	rows: string,
	metadata: Readonly<Record<string, string>> = {},
	model = 'sarm',
): Promise<string> {
	const file = path.join(folder, `${model}_progress.parquet`);
	await mkdir(folder, {recursive: true});
	const pairs = Object.entries(metadata).map(([key, value]) => `${key}: '${value}'`);
	const kept = pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : '';
	await withDuckDB(connection => connection.run(`COPY (${rows}) TO '${file}' (FORMAT parquet${kept})`));
	return file;
}

/** Two episodes of 50 frames whose progress rises from 0; the first frame of each has none in the sparse head. */
export const risingProgress = `
	SELECT i AS "index", i // 50 AS episode_index, i % 50 AS frame_index,
		(CASE WHEN i % 50 = 0 THEN 'nan'::FLOAT ELSE (i % 50) / 49 END)::FLOAT AS progress_sparse,
		((i % 50) / 98)::FLOAT AS progress_dense
	FROM range(100) r(i)`;
