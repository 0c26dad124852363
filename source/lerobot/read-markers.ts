/** The families of episode columns that hold subtask markers; the coarser one says more of a whole episode. */
const families = ['sparse_subtask', 'dense_subtask', 'subtask'];

/** The columns that `markersOf` reads, where they exist. */
export const markerColumns: readonly string[] = families.flatMap(family => [
	`${family}_names`,
	`${family}_start_frames`,
	`${family}_start_times`,
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
