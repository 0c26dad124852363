import {locate} from '../../lerobot/layout.ts';
import {parquetDamage, type ReadDatabase} from '../../lerobot/read-database.ts';
import {sarmProgressName} from '../../lerobot/sarm-progress.ts';
import {quotedString} from '../../lerobot/write-sql.ts';
import {bucketsOf} from './buckets.ts';
import type {ReadSeries} from './series-messages.ts';

/**
 * The progress that a reward model gave an episode's frames, where it lies beside the dataset. What is wrong with that
 * file is told when it is taken in, and no reason to draw nothing at all.
 */
export async function readProgress(
	database: ReadDatabase,
	root: string,
	episode: number,
	{from, until, width}: {from: number; until: number; width: number},
): Promise<ReadSeries['progress']> {
	const located = await locate(root, sarmProgressName);
	if (!located.found) return null;
	try {
		if ((await parquetDamage(located.path)) !== null) return null;
		const present = await database.columnsOf(located.path);
		const heads = (['sparse', 'dense'] as const).filter(head => present.has(`progress_${head}`));
		const columns = heads.map(head => `progress_${head}::DOUBLE AS ${head}`).join(', ');
		const read = await database.query(
			`SELECT ${columns} FROM read_parquet(${quotedString(located.path)}) WHERE episode_index = ${Math.trunc(episode)} ORDER BY frame_index`,
		);
		if (read.currentRowCount === 0) return null;
		const rows = read.getColumnsJS() as (number | null)[][];
		return Object.fromEntries(
			heads.map((head, column) => [
				head,
				bucketsOf(
					(rows[column] ?? []).slice(from, until).map(value => value ?? Number.NaN),
					width,
				),
			]),
		);
	} catch {
		return null;
	}
}
