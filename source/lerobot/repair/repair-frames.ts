import {quotedString} from '../sql.ts';
import {counters, type Draft} from './draft.ts';

/** Sets a counter of the frames where it differs. @returns how many frames differed */
async function set(
	draft: Draft,
	column: (typeof counters)[number],
	value: string,
	from: string,
): Promise<number> {
	const differs = `WHERE f.file = v.file AND f."row" = v."row" AND f."${column}" IS DISTINCT FROM v.value`;
	const count = await draft.number(
		`SELECT count(*) FROM frames f, (SELECT file, "row", ${value} AS value FROM ${from}) v ${differs}`,
	);
	if (count > 0) {
		await draft.run(
			`UPDATE frames f SET "${column}" = v.value FROM (SELECT file, "row", ${value} AS value FROM ${from}) v ${differs}`,
		);
	}
	return count;
}

const frames = (count: number) => `${count} ${count === 1 ? 'frame' : 'frames'}`;

/** Counts `frame_index` from 0 in each episode, in the order of the rows. */
export async function countFrameIndex(draft: Draft): Promise<string[]> {
	const value = '(row_number() OVER (PARTITION BY episode_index ORDER BY file, "row") - 1)::BIGINT';
	const count = await set(draft, 'frame_index', value, 'frames');
	return count === 0 ? [] : [`frame_index is counted anew from 0 in each episode: ${frames(count)}.`];
}

/** Counts `index` over all files. */
export async function countIndex(draft: Draft): Promise<string[]> {
	const aside = draft.dataFiles.flatMap(({file}, place) => (draft.aside.has(file) ? [place] : []));
	const there = aside.length === 0 ? 'frames' : `(FROM frames WHERE file NOT IN (${aside.join(', ')})) there`;
	const count = await set(draft, 'index', '(row_number() OVER (ORDER BY file, "row") - 1)::BIGINT', there);
	return count === 0 ? [] : [`index is counted anew over all files: ${frames(count)}.`];
}

/**
 * Writes frame_index / fps as the timestamp of episodes that have one off the grid by more than a rounding; only where
 * frame_index counts from 0 in the order of the rows.
 */
export async function snapTimestamps(draft: Draft): Promise<string[]> {
	const {fps} = draft.read;
	const type = draft.dataFiles[0]?.columns.get('timestamp') ?? 'FLOAT';
	const even = `(SELECT episode_index FROM (SELECT episode_index, frame_index - row_number() OVER (PARTITION BY episode_index ORDER BY file, "row") AS off, timestamp, frame_index FROM frames)
		GROUP BY episode_index HAVING min(off) = -1 AND max(off) = -1 AND max(abs(timestamp::DOUBLE - frame_index / ${fps})) > 5e-5)`;
	const count = await set(
		draft,
		'timestamp',
		`(frame_index / ${fps})::${type}`,
		`(FROM frames WHERE episode_index IN ${even}) off_grid`,
	);
	return count === 0 ? [] : [`timestamp becomes frame_index / ${fps}: ${frames(count)}.`];
}

/** Gives frames whose task does not exist the task that their episode names, where that is one. */
export async function findTasks(draft: Draft): Promise<string[]> {
	const {tasks} = draft;
	if (!tasks || !draft.hasColumn('tasks')) return [];
	const known = tasks.map(({index}) => index).join(', ') || 'NULL';
	const rows = await draft.rows<{episode: number; task: string}>(
		`SELECT episode_index AS episode, tasks[1] AS task FROM episodes WHERE len(tasks) = 1
		AND episode_index IN (SELECT episode_index FROM frames WHERE task_index IS NULL OR task_index NOT IN (${known}))`,
	);
	const said: string[] = [];
	for (const {episode, task} of rows) {
		const number = tasks.find(({text}) => text === task)?.index;
		if (number === undefined) continue;
		await draft.run(
			`UPDATE frames SET task_index = ${number} WHERE episode_index = ${episode} AND (task_index IS NULL OR task_index NOT IN (${known}))`,
		);
		said.push(
			`Frames of episode ${episode} get task ${number}, ${JSON.stringify(task)}, which the episode names.`,
		);
	}
	return said;
}

/** Numbers episodes of the metadata and the data anew, from 0 on in the order of their numbers. */
export async function closeEpisodeGap(draft: Draft): Promise<string[]> {
	if (draft.isOld) return [];
	await draft.run(
		`CREATE OR REPLACE TABLE renumbered AS SELECT episode_index AS was, (row_number() OVER (ORDER BY episode_index) - 1)::BIGINT AS now
		FROM (SELECT DISTINCT episode_index FROM episodes)`,
	);
	const moved = await draft.rows<{was: number; now: number}>('FROM renumbered WHERE was <> now ORDER BY was');
	const unlisted = await draft.number(
		'SELECT count(*) FROM frames WHERE episode_index NOT IN (SELECT was FROM renumbered)',
	);
	if (moved.length === 0 || unlisted > 0) return [];
	for (const table of ['episodes', 'frames']) {
		await draft.run(
			`UPDATE ${table} t SET episode_index = r.now FROM renumbered r WHERE t.episode_index = r.was AND r.was <> r.now`,
		);
	}
	const [first] = moved;
	return [
		`${moved.length === 1 ? 'An episode gets another number' : `${moved.length} episodes get other numbers`}, from episode ${first?.was} on, which becomes ${first?.now}.`,
	];
}

/**
 * The consequences of changed frame counters: their statistics if the dataset keeps them, and progress files,
 * whose rows are of other frames now.
 */
export async function followCounters(draft: Draft): Promise<string[]> {
	const changed = await draft.changedData();
	const said: string[] = [];
	const numbers = await draft.number(
		`SELECT count(*) FROM frames a JOIN frames_before b USING (file, "row") WHERE a.episode_index IS DISTINCT FROM b.episode_index
		OR a."index" IS DISTINCT FROM b."index" OR a.frame_index IS DISTINCT FROM b.frame_index`,
	);
	if (numbers > 0) {
		for (const file of draft.files) {
			if (!/^[a-z0-9]+_progress\.parquet$/.test(file)) continue;
			draft.aside.add(file);
			said.push(`${file} is put aside: its rows go by numbers that frames no longer have.`);
		}
	}
	if (changed.length === 0) return said;
	for (const name of counters) {
		const column = (stat: string) => `stats/${name}/${stat}`;
		const held = ['min', 'max', 'mean', 'std', 'q01', 'q10', 'q50', 'q90', 'q99'].filter(stat =>
			draft.hasColumn(column(stat)),
		);
		if (held.length > 0) {
			await draft.run(
				`UPDATE episodes e SET ${held.map(stat => `"${column(stat)}" = [s."${stat}"]`).join(', ')}
				FROM (SELECT episode_index, ${held.map(stat => `${counterStat(name, stat)} AS "${stat}"`).join(', ')} FROM frames GROUP BY episode_index) s
				WHERE e.episode_index = s.episode_index`,
			);
		}
		const stated = draft.stats?.[name];
		if (!stated) continue;
		const known = Object.keys(stated).filter(stat => stat !== 'count');
		if (known.length === 0) continue;
		const [row = {}] = await draft.rows(
			`SELECT ${known.map(stat => `${counterStat(name, stat)} AS ${quotedString(stat)}`).join(', ')} FROM frames`,
		);
		for (const stat of known) stated[stat] = [row[stat]];
	}
	return said;
}

function counterStat(name: string, stat: string): string {
	const value = `"${name}"::DOUBLE`;
	if (stat === 'mean') return `avg(${value})`;
	if (stat === 'std') return `stddev_pop(${value})`;
	const share = /^q(\d\d)$/.exec(stat)?.[1];
	return share === undefined
		? `${stat === 'max' ? 'max' : 'min'}(${value})`
		: `quantile_cont(${value}, ${Number(share) / 100})`;
}
