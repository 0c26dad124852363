import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {brotliDecompressSync} from 'node:zlib';

/**
 * Lakes as earlier versions of the program wrote them, each named after what came next. All hold the datasets `push`
 * (three episodes, four channels) and `hands` (three episodes, forty channels), ingested from /recordings; in those that
 * know reviews the first episode of `hands` is rejected.
 */
const kept = path.resolve(import.meta.dirname, '../service/lake/earlier');
const files = ['lake.duckdb', 'operations.db'] as const;

/** Oldest first. */
export const earlierLakes = readdirSync(kept)
	.filter(name => name.endsWith(`.${files[0]}.br`))
	.map(name => name.slice(0, -`.${files[0]}.br`.length))
	.sort();

/** Whether a lake is from a program that kept reviews. */
export const knowsReviews = (name: string) => Number.parseInt(name, 10) >= 4;

/** Lays an earlier lake into a folder. */
export function unpackEarlierLake(name: string, folder: string): string {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	for (const file of files) {
		const packed = readFileSync(path.join(kept, `${name}.${file}.br`));
		writeFileSync(path.join(folder, file), brotliDecompressSync(packed), {mode: 0o600});
	}
	return folder;
}
