import {quotedString} from '../sql.ts';
import type {Draft, DraftTask} from './draft.ts';

/** Numbers the tasks as their rows lie, and the frames with them. */
async function renumber(
	draft: Draft,
	tasks: readonly DraftTask[],
	into: ReadonlyMap<number, number>,
): Promise<void> {
	const cases = [...into].filter(([was, now]) => was !== now);
	if (cases.length > 0) {
		await draft.run(
			`UPDATE frames SET task_index = CASE task_index ${cases.map(([was, now]) => `WHEN ${was} THEN ${now}`).join(' ')} END
			WHERE task_index IN (${cases.map(([was]) => was).join(', ')})`,
		);
	}
	draft.tasks = [...tasks];
}

/** Gives the episodes another spelling of a task. */
async function respell(draft: Draft, was: string, now: string): Promise<void> {
	if (!draft.hasColumn('tasks')) return;
	await draft.run(
		`UPDATE episodes SET tasks = list_distinct(list_transform(tasks, t -> CASE WHEN t = ${quotedString(was)} THEN ${quotedString(now)} ELSE t END))
		WHERE list_contains(tasks, ${quotedString(was)})`,
	);
}

/** Removes tasks, whose frames go to others, and numbers the rest from 0. */
async function drop(draft: Draft, gone: ReadonlyMap<number, number | undefined>): Promise<void> {
	const kept = (draft.tasks ?? []).filter(({index}) => !gone.has(index)).sort((a, b) => a.index - b.index);
	const now = new Map(kept.map(({index}, place) => [index, place]));
	for (const [index, other] of gone) {
		const place = other === undefined ? undefined : now.get(other);
		if (place !== undefined) now.set(index, place);
	}
	await renumber(
		draft,
		kept.map(({text}, index) => ({index, text})),
		now,
	);
}

export async function sortTasks(draft: Draft): Promise<string[]> {
	const {tasks} = draft;
	if (draft.isOld || !tasks || tasks.every(({index}, row) => index === row)) return [];
	const sorted = tasks.toSorted((a, b) => a.index - b.index);
	if (new Set(sorted.map(({index}) => index)).size < sorted.length) return [];
	const now = new Map(sorted.map(({index}, place) => [index, place]));
	await renumber(
		draft,
		sorted.map(({text}, index) => ({index, text})),
		now,
	);
	return ['The rows of the tasks are sorted by their numbers.'];
}

export async function writeTasks(draft: Draft): Promise<string[]> {
	if (draft.tasks || !draft.hasColumn('tasks')) return [];
	const rows = await draft.rows<{task: number; text: string; texts: number}>(
		`SELECT f.task_index AS task, min(e.tasks[1]) AS text, count(DISTINCT e.tasks[1]) AS texts
		FROM episodes e JOIN (SELECT DISTINCT episode_index, task_index FROM frames) f USING (episode_index)
		WHERE len(e.tasks) = 1 GROUP BY 1 ORDER BY 1`,
	);
	const known = await draft.number('SELECT count(DISTINCT task_index) FROM frames');
	if (
		rows.length === 0 ||
		rows.length < known ||
		rows.some(({task, texts}, place) => texts > 1 || task !== place)
	)
		return [];
	draft.tasks = rows.map(({task, text}) => ({index: task, text}));
	return [`The file of tasks is written from the texts of the episodes: ${rows.length}.`];
}

export async function mergeEqualTasks(draft: Draft): Promise<string[]> {
	const said: string[] = [];
	const first = new Map<string, number>();
	const gone = new Map<number, number>();
	for (const {index, text} of draft.tasks ?? []) {
		if (text === null) continue;
		const same = first.get(text);
		if (same === undefined) first.set(text, index);
		else {
			gone.set(index, same);
			said.push(`Task ${index} becomes task ${same}, which is ${JSON.stringify(text)} too.`);
		}
	}
	if (gone.size > 0) await drop(draft, gone);
	return said;
}

/** Merges pairs of texts into the one that more frames have. @param isSlip whether two texts differ by a slip */
export async function mergeSimilarTasks(
	draft: Draft,
	isSlip: (one: string, other: string) => boolean,
): Promise<string[]> {
	const said: string[] = [];
	for (let merged = true; merged; ) {
		merged = false;
		const tasks = (draft.tasks ?? []).flatMap(({index, text}) => (text === null ? [] : [{index, text}]));
		const pair = tasks
			.flatMap((one, at) => tasks.slice(at + 1).map(other => [one, other] as const))
			.find(([one, other]) => one.text !== other.text && isSlip(one.text, other.text));
		if (!pair) break;
		const counts = await Promise.all(
			pair.map(({index}) => draft.number(`SELECT count(*) FROM frames WHERE task_index = ${index}`)),
		);
		const [kept, other] = (counts[1] ?? 0) > (counts[0] ?? 0) ? [pair[1], pair[0]] : pair;
		await respell(draft, other.text, kept.text);
		await drop(draft, new Map([[other.index, kept.index]]));
		said.push(`Task ${JSON.stringify(other.text)} becomes ${JSON.stringify(kept.text)}.`);
		merged = true;
	}
	return said;
}

export async function removeUnusedTasks(draft: Draft): Promise<string[]> {
	if (draft.dataFiles.length === 0) return [];
	const used = new Set(
		(await draft.rows<{task: number}>('SELECT DISTINCT task_index AS task FROM frames')).map(
			({task}) => task,
		),
	);
	const gone = (draft.tasks ?? []).filter(({index}) => !used.has(index));
	if (gone.length === 0 || gone.length === draft.tasks?.length) return [];
	await drop(draft, new Map(gone.map(({index}) => [index, undefined])));
	return gone.map(
		({index, text}) =>
			`Task ${index}${text === null ? '' : `, ${JSON.stringify(text)},`} is removed: no frame has it.`,
	);
}

export async function writeEpisodeTasks(draft: Draft): Promise<string[]> {
	const {tasks} = draft;
	if (!tasks?.length || !draft.hasColumn('tasks')) return [];
	const names = tasks.flatMap(({index, text}) =>
		text === null ? [] : [`(${index}, ${quotedString(text)})`],
	);
	if (names.length < tasks.length) return [];
	const source = `(SELECT f.episode_index, list(n.text ORDER BY n.task) AS texts FROM (SELECT DISTINCT episode_index, task_index FROM frames) f
		JOIN (VALUES ${names.join(', ')}) n(task, text) ON n.task = f.task_index GROUP BY 1)`;
	const differs =
		'WHERE e.episode_index = s.episode_index AND list_sort(e.tasks) IS DISTINCT FROM list_sort(s.texts)';
	const rows = await draft.rows<{episode: number}>(
		`SELECT e.episode_index AS episode FROM episodes e, ${source} s ${differs} ORDER BY 1`,
	);
	if (rows.length === 0) return [];
	await draft.run(`UPDATE episodes e SET tasks = s.texts FROM ${source} s ${differs}`);
	return [
		`The tasks of ${rows.length === 1 ? 'an episode' : `${rows.length} episodes`} become those of the frames: ${rows
			.map(({episode}) => episode)
			.slice(0, 20)
			.join(', ')}.`,
	];
}

/** Gives a task another text; `was` is its text, or its number where it has none. */
export async function renameTask(draft: Draft, was: string, now: string): Promise<string[]> {
	const task =
		draft.tasks?.find(({text}) => text === was) ??
		draft.tasks?.find(({index, text}) => text === null && `${index}` === was);
	if (!task || now.trim() === '') return [];
	if (task.text !== null) await respell(draft, task.text, now);
	const same = draft.tasks?.find(({index, text}) => index !== task.index && text === now);
	task.text = now;
	if (same) await drop(draft, new Map([[task.index, same.index]]));
	return [
		same
			? `Task ${JSON.stringify(was)} becomes task ${JSON.stringify(now)}, which was there.`
			: `Task ${JSON.stringify(was)} is renamed to ${JSON.stringify(now)}.`,
	];
}
