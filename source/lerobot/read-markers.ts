import type {SubtaskTurn} from './read-data-file.ts';

/** The families of episode columns that hold subtask markers; the coarser one says more of a whole episode. */
const families = ['sparse_subtask', 'dense_subtask', 'subtask'];

/** The columns that `markersOf` and `subtasksOf` read, where they exist. */
export const markerColumns: readonly string[] = families.flatMap(family => [
	`${family}_names`,
	`${family}_start_frames`,
	`${family}_start_times`,
	`${family}_end_frames`,
	`${family}_end_times`,
]);

/**
 * The names of an episode's subtask markers in the order in which they begin.
 *
 * @param cell the episode's value in a column: a list, or undefined.
 * @returns undefined where the episode has no markers.
 */
export function markersOf(cell: (column: string) => readonly unknown[] | undefined): string[] | undefined {
	for (const family of families) {
		const names = cell(`${family}_names`);
		if (!names?.length) continue;
		const starts = cell(`${family}_start_frames`) ?? cell(`${family}_start_times`) ?? [];
		return names
			.map((name, place) => ({name: String(name), start: Number(starts[place] ?? place)}))
			.sort((a, b) => a.start - b.start)
			.map(({name}) => name);
	}
	return undefined;
}

/** A stretch of an episode; both frames are part of it. */
export type MarkedStretch = {readonly name: string; readonly startFrame: number; readonly endFrame: number};

/** The markers that an episode's columns keep, by how fine they are. */
export type MarkedStretches = Readonly<Partial<Record<'sparse' | 'dense', readonly MarkedStretch[]>>>;

/**
 * An episode's subtask markers with their frames, in the order in which they begin. A stretch without an end ends
 * where the next begins, the last one with the episode.
 *
 * @param cell as `markersOf` takes it.
 * @param length of the episode, in frames.
 */
export function subtasksOf(
	cell: (column: string) => readonly unknown[] | undefined,
	fps: number,
	length: number,
): MarkedStretches {
	const found: Partial<Record<'sparse' | 'dense', MarkedStretch[]>> = {};
	for (const family of families) {
		const names = cell(`${family}_names`);
		const form = family === 'dense_subtask' ? 'dense' : 'sparse';
		if (!names?.length || found[form]) continue;
		const starts = framesOf(cell, family, 'start', fps);
		const ends = framesOf(cell, family, 'end', fps);
		const begun = names
			.map((name, place) => ({name: String(name), start: starts[place], end: ends[place]}))
			.filter((each): each is {name: string; start: number; end: number | undefined} =>
				Number.isFinite(each.start),
			)
			.sort((a, b) => a.start - b.start);
		found[form] = begun.map(({name, start, end}, place) => ({
			name,
			startFrame: start,
			endFrame: end ?? (begun[place + 1]?.start ?? length) - 1,
		}));
	}
	return found;
}

function framesOf(
	cell: (column: string) => readonly unknown[] | undefined,
	family: string,
	edge: 'start' | 'end',
	fps: number,
): (number | undefined)[] {
	const frame = (value: number) => (Number.isFinite(value) ? Math.round(value) : undefined);
	const frames = cell(`${family}_${edge}_frames`);
	if (frames) return frames.map(value => frame(Number(value)));
	return (cell(`${family}_${edge}_times`) ?? []).map(value => frame(Number(value) * fps));
}

/** The names of subtasks that take turns, in the order in which they begin. */
export function turnNames(turns: readonly SubtaskTurn[], names: ReadonlyMap<number, string>): string[] {
	const named = turns.filter(({number}) => number >= 0);
	return named
		.filter(({number}, place) => number !== named[place - 1]?.number)
		.map(({number}) => names.get(number) ?? String(number));
}

/** The same with their frames. */
export function turnStretches(
	turns: readonly SubtaskTurn[],
	names: ReadonlyMap<number, string>,
	frames: number,
): MarkedStretch[] {
	return turns.flatMap(({number, frame}, place) =>
		number < 0
			? []
			: [
					{
						name: names.get(number) ?? String(number),
						startFrame: frame,
						endFrame: (turns[place + 1]?.frame ?? frames) - 1,
					},
				],
	);
}
