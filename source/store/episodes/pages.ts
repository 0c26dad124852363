import {firstQuestion} from '../../contract/first-question.ts';

/** Rows a page, the same for every page. */
export const pageSize: number = firstQuestion.limit;

/**
 * The pages wanted for rows `first` to `last` (inclusive): those on the screen, then one on each side that the reader has
 * come near, the side they move towards before the other. Most look at the top of a result and go on to another.
 *
 * @param options.total rows in the result; absent while unknown.
 */
export function pagesAround(
	first: number,
	last: number,
	options: {total?: number; forward?: boolean; pageSize?: number} = {},
): {readonly shown: readonly number[]; readonly ahead: readonly number[]} {
	const {total, forward = true, pageSize: size = pageSize} = options;
	const lastRow = total === undefined ? Math.max(first, last) : Math.max(0, total - 1);
	const lastPage = Math.floor(lastRow / size);
	const pageOf = (row: number) => Math.min(Math.floor(Math.max(0, row) / size), lastPage);
	const from = pageOf(first);
	const to = pageOf(Math.max(first, last));
	const shown = Array.from({length: to - from + 1}, (_, index) => from + index);
	const near = size / 2;
	const after = first > 0 && (to + 1) * size - last <= near ? [to + 1] : [];
	const before = first - from * size < near ? [from - 1] : [];
	const around = forward ? [...after, ...before] : [...before, ...after];
	return {shown, ahead: around.filter(page => page >= 0 && page <= lastPage)};
}
