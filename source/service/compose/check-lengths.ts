import {DatasetError} from '../../lerobot/dataset-error.ts';
import {locate} from '../../lerobot/layout.ts';
import {parquetDamage} from '../../lerobot/read-database.ts';
import {quotedString} from '../../lerobot/write-sql.ts';
import type {Parent} from './parent-episodes.ts';

/** So many episodes are named of a dataset. */
const mostNamed = 20;

/**
 * Looks whether all wanted episodes have the frames that the metadata says, before anything is cut or written: found one
 * by one, each would cost another attempt. A single one is left to whoever reads it, who says how many it has.
 *
 * @throws {DatasetError} that names all of several that have not
 */
export async function checkLengths(parents: readonly Parent[]): Promise<void> {
	const found: {readonly name: string; readonly episodes: readonly number[]}[] = [];
	for (const parent of parents) {
		const episodes = await oddLengths(parent);
		if (episodes.length > 0) found.push({name: parent.work.dataset_name, episodes});
	}
	const count = found.reduce((sum, {episodes}) => sum + episodes.length, 0);
	if (count < 2) return;
	const named = found.map(({name, episodes}) => {
		const more = episodes.length > mostNamed ? ` and ${episodes.length - mostNamed} more` : '';
		return `${episodes.slice(0, mostNamed).join(', ')}${more} of ${name}`;
	});
	throw new DatasetError(
		`${count} episodes have not the frames that the metadata says, and cannot be taken over: ${named.join('; ')}. Leave them out (tier:retrainable does), or set them right.`,
	);
}

async function oddLengths({work, dataset, index, database}: Parent): Promise<readonly number[]> {
	const listed = work.episodes.flatMap(({episode_index}) => {
		const {dataFile, length} = index.listings.get(episode_index) ?? {};
		return dataFile === undefined || length === undefined ? [] : [{episode_index, dataFile, length}];
	});
	const odd: number[] = [];
	for (const [file, members] of Map.groupBy(listed, ({dataFile}) => dataFile)) {
		const located = await locate(dataset.root, file);
		// What is wrong with a file as a whole is told where it is read.
		if (!located.found || (await parquetDamage(located.path)) !== null) continue;
		const counts = `SELECT episode_index::DOUBLE, count(*)::DOUBLE FROM read_parquet(${quotedString(located.path)}) GROUP BY ALL`;
		const rows = await database.query(counts).catch(() => undefined);
		if (rows === undefined) continue;
		const frames = new Map(rows.getRows().map(([episode, count]) => [Number(episode), Number(count)]));
		const those = members.filter(({episode_index, length}) => frames.get(episode_index) !== length);
		odd.push(...those.map(({episode_index}) => episode_index));
	}
	return odd.sort((a, b) => a - b);
}
