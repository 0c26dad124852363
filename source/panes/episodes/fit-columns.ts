import type {Column} from './columns.ts';

/** A column with the cells that it gets. */
export type FittedColumn = {readonly column: Column; readonly width: number};

/**
 * The columns that fit, in order, with `gap` cells before each: as many of the chosen ones as there is room for, the
 * rest of the room shared among those that grow.
 *
 * @param shift how many columns behind the first have been scrolled past.
 */
export function fitColumns(
	chosen: readonly Column[],
	width: number,
	{gap, shift = 0}: {gap: number; shift?: number},
): {readonly fitted: readonly FittedColumn[]; readonly hidden: number} {
	const [first, ...rest] = chosen;
	if (first === undefined) return {fitted: [], hidden: 0};
	const candidates = [first, ...rest.slice(Math.min(shift, Math.max(0, rest.length - 1)))];
	const kept: Column[] = [];
	let room = width;
	for (const column of candidates) {
		if (kept.length > 0 && room < column.width + gap) break;
		kept.push(column);
		room -= column.width + gap;
	}
	return {fitted: grow(kept, Math.max(0, room)), hidden: candidates.length - kept.length};
}

/** Names need no more than this; beyond it, room goes to whoever still grows. */
const widest = 28;

function grow(columns: readonly Column[], room: number): FittedColumn[] {
	const total = columns.reduce((sum, {grow: eagerness}) => sum + eagerness, 0);
	let left = room;
	const fitted = columns.map(column => {
		if (column.grow === 0 || total === 0) return {column, width: column.width};
		const share = Math.floor((room * column.grow) / total);
		const more = column.grow === 1 ? Math.min(share, Math.max(0, widest - column.width)) : share;
		left -= more;
		return {column, width: column.width + more};
	});
	const greediest = fitted.reduce<FittedColumn | undefined>(
		(best, next) => (next.column.grow > (best?.column.grow ?? 0) ? next : best),
		undefined,
	);
	return fitted.map(next => (next === greediest ? {...next, width: next.width + left} : next));
}
