import {rename} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {defaultDataPath, episodesFolder, fillTemplate} from '../lerobot/layout.ts';
import {parquetOptions} from '../lerobot/write-parquet-files.ts';
import {quotedString} from '../lerobot/write-sql.ts';

/**
 * Takes the last frames of some episodes out of a written dataset's data files, and leaves its metadata as it
 * is: what a crash during recording leaves behind.
 *
 * @param lost frames to lose, by episode.
 */
export async function loseFrames(
	root: string,
	lost: ReadonlyMap<number, number>,
	connection: DuckDBConnection,
): Promise<void> {
	if (lost.size === 0) return;
	const episodes = quotedString(path.join(root, episodesFolder, '*/*.parquet'));
	const files = await connection.runAndReadAll(
		`SELECT "data/chunk_index", "data/file_index", list(episode_index), list("length") FROM read_parquet(${episodes})
		WHERE episode_index IN (${[...lost.keys()].join(', ')}) GROUP BY ALL ORDER BY ALL`,
	);
	for (const [chunkIndex, fileIndex, indices, lengths] of files.getRowsJS() as [
		bigint,
		bigint,
		bigint[],
		bigint[],
	][]) {
		const relative = fillTemplate(defaultDataPath, {
			chunk_index: String(chunkIndex),
			file_index: String(fileIndex),
		});
		const file = path.join(root, relative);
		const gone = indices.map((index, place) => {
			const kept = Number(lengths[place]) - (lost.get(Number(index)) ?? 0);
			return `(episode_index = ${index} AND frame_index >= ${kept})`;
		});
		await connection.run(
			`COPY (SELECT * FROM read_parquet(${quotedString(file)}) WHERE NOT (${gone.join(' OR ')}))
			TO ${quotedString(`${file}.new`)} (${parquetOptions})`,
		);
		await rename(`${file}.new`, file);
	}
}
