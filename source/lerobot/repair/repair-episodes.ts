import type {Draft} from './draft.ts';

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Keeps the whole episodes of a recording that was killed: files without a footer are put aside, and rows of episodes
 * that have no frames any more are removed.
 */
export async function keepWholePrefix(draft: Draft): Promise<string[]> {
	if (draft.cut.length === 0 || draft.dataFiles.length === 0 || draft.episodeFiles.length === 0) return [];
	for (const file of draft.cut) draft.aside.add(file);
	return [
		`${draft.cut.join(', ')} ${draft.cut.length === 1 ? 'lacks its end and is' : 'lack their ends and are'} put aside.`,
		...(await removeEpisodesWithoutFrames(draft)),
	];
}

export async function removeEpisodesWithoutFrames(draft: Draft): Promise<string[]> {
	if (draft.isOld || draft.dataFiles.length === 0) return [];
	const empty = await draft.rows<{episode: number}>(
		'SELECT DISTINCT episode_index AS episode FROM episodes WHERE episode_index NOT IN (SELECT episode_index FROM frames) ORDER BY 1',
	);
	if (empty.length === 0) return [];
	await draft.run('DELETE FROM episodes WHERE episode_index NOT IN (SELECT episode_index FROM frames)');
	return [
		`${many(empty.length, 'row')} of ${empty.length === 1 ? 'an episode' : 'episodes'} without frames ${empty.length === 1 ? 'is' : 'are'} removed: ${empty
			.map(({episode}) => episode)
			.slice(0, 20)
			.join(', ')}.`,
	];
}

export async function sortEpisodes(draft: Draft): Promise<string[]> {
	const misplaced = await draft.number(
		`SELECT count(*) FROM (SELECT episode_index - lag(episode_index) OVER (ORDER BY file, place) AS step FROM episodes) WHERE step < 0`,
	);
	if (misplaced === 0) return [];
	// The places stay, and the rows go to them in order: a file keeps as many rows as it has.
	await draft.run(
		`CREATE OR REPLACE TABLE sorted AS SELECT p.file, p.place, e.* EXCLUDE (file, place) FROM
		(SELECT *, row_number() OVER (ORDER BY episode_index, file, place) AS spot FROM episodes) e
		JOIN (SELECT file, place, row_number() OVER (ORDER BY file, place) AS spot FROM episodes) p USING (spot)`,
	);
	await draft.run('DELETE FROM episodes');
	await draft.run('INSERT INTO episodes BY NAME SELECT * EXCLUDE (spot) FROM sorted');
	await draft.run('DROP TABLE sorted');
	return ['The rows of the episodes are sorted by their numbers.'];
}

export async function removeSecondRows(draft: Draft): Promise<string[]> {
	const twice = await draft.rows<{episode: number}>(
		'SELECT episode_index AS episode FROM episodes GROUP BY 1 HAVING count(*) > 1 ORDER BY 1',
	);
	if (twice.length === 0) return [];
	await draft.run(
		`DELETE FROM episodes WHERE (file, place) NOT IN (SELECT (min(file), arg_min(place, (file, place))) FROM episodes GROUP BY episode_index)`,
	);
	return [
		`The second rows of ${many(twice.length, 'episode')} are removed: ${twice.map(({episode}) => episode).join(', ')}.`,
	];
}

/** Sets columns of the episodes from what their frames come to. @returns the episodes where they differed */
async function setFromFrames(draft: Draft, columns: Readonly<Record<string, string>>): Promise<number[]> {
	const held = Object.entries(columns).filter(([name]) => draft.hasColumn(name));
	if (held.length === 0) return [];
	const source = `(SELECT episode_index, ${held.map(([name, value]) => `(${value})::BIGINT AS "${name}"`).join(', ')}
		FROM (SELECT *, row_number() OVER (ORDER BY file, "row") - 1 AS spot FROM frames) GROUP BY episode_index)`;
	const differs = `WHERE e.episode_index = s.episode_index AND (${held.map(([name]) => `e."${name}" IS DISTINCT FROM s."${name}"`).join(' OR ')})`;
	const rows = await draft.rows<{episode: number}>(
		`SELECT e.episode_index AS episode FROM episodes e, ${source} s ${differs} ORDER BY 1`,
	);
	if (rows.length > 0)
		await draft.run(
			`UPDATE episodes e SET ${held.map(([name]) => `"${name}" = s."${name}"`).join(', ')} FROM ${source} s ${differs}`,
		);
	return rows.map(({episode}) => episode);
}

const listed = (episodes: readonly number[]) =>
	`${episodes.slice(0, 20).join(', ')}${episodes.length > 20 ? ` and ${episodes.length - 20} more` : ''}`;

export async function writeLengths(draft: Draft): Promise<string[]> {
	const episodes = await setFromFrames(draft, {length: 'count(*)'});
	return episodes.length === 0
		? []
		: [`length becomes the number of frames: ${many(episodes.length, 'episode')} (${listed(episodes)}).`];
}

export async function writeBounds(draft: Draft): Promise<string[]> {
	if (draft.isOld) return [];
	const episodes = await setFromFrames(draft, {
		dataset_from_index: 'min(spot)',
		dataset_to_index: 'max(spot) + 1',
	});
	return episodes.length === 0
		? []
		: [
				`dataset_from_index and dataset_to_index become where the frames lie: ${many(episodes.length, 'episode')} (${listed(episodes)}).`,
			];
}

/** Numbers of the chunk and the file in a path of the default form. */
const filePlace = /chunk-(\d+)\/file-(\d+)\.parquet$/;

export async function writeDataFiles(draft: Draft): Promise<string[]> {
	if (draft.isOld) return [];
	const places = draft.dataFiles.map(({file}) => filePlace.exec(file));
	if (
		places.length === 0 ||
		places.some(
			(place, at) =>
				!place || draft.dataPath(Number(place[1]), Number(place[2])) !== draft.dataFiles[at]?.file,
		)
	)
		return [];
	const of = (group: 1 | 2) => `[${places.map(place => Number(place?.[group])).join(', ')}][min(file) + 1]`;
	const episodes = await setFromFrames(draft, {'data/chunk_index': of(1), 'data/file_index': of(2)});
	return episodes.length === 0
		? []
		: [
				`The data file becomes the one that has the frames: ${many(episodes.length, 'episode')} (${listed(episodes)}).`,
			];
}
