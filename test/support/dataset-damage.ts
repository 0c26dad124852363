import {readFile, rename, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {withDuckDB} from './parquet.ts';

/** Changes `meta/info.json`. */
export async function editInfo(folder: string, edit: (info: Record<string, unknown>) => void): Promise<void> {
	const file = path.join(folder, 'meta/info.json');
	const info = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
	edit(info);
	await writeFile(file, JSON.stringify(info));
}

/**
 * Rewrites a parquet file by a query over what it held, which is called `old`:
 * `rewriteParquet(folder, dataFile(), 'SELECT * EXCLUDE (action) FROM old')`.
 */
export async function rewriteParquet(folder: string, file: string, query: string): Promise<void> {
	const target = path.join(folder, file);
	await withDuckDB(async connection => {
		await connection.run(`CREATE TABLE old AS SELECT * FROM read_parquet('${target}')`);
		await connection.run(`COPY (${query}) TO '${target}.new' (FORMAT parquet)`);
	});
	await rename(`${target}.new`, target);
}

/** Leaves a file as a recorder does that is cut off: without its end. */
export async function cutFooter(folder: string, file: string): Promise<void> {
	const target = path.join(folder, file);
	const {length} = await readFile(target);
	await truncate(target, Math.floor(length * 0.6));
}

/** Overwrites bytes in the middle of a file with 0xff and leaves its footer alone. */
export async function garble(folder: string, file: string, from: number, until: number): Promise<void> {
	const target = path.join(folder, file);
	const content = await readFile(target);
	content.fill(0xff, from, until);
	await writeFile(target, content);
}
