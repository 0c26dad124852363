import type {Size} from './explore-layout.ts';

/** Where a list and what was opened of it stand; what is absent has no room just now. */
export type ListLayout = {
	readonly list?: Size;
	readonly detail?: Size & {readonly beside: boolean};
};

const besideFrom = 140;
const stackedFrom = 20;

/** Shares a body among a list and what was opened of it: beside it, below it, or in its place where there is no room. */
export function listLayout({width, height}: Size, opened: boolean): ListLayout {
	if (!opened) return {list: {width, height}};
	if (width >= besideFrom) {
		const list = Math.floor(width * 0.5);
		return {list: {width: list, height}, detail: {width: width - list, height, beside: true}};
	}
	if (height < stackedFrom) return {detail: {width, height, beside: false}};
	const rows = Math.max(6, Math.floor(height * 0.35));
	return {list: {width, height: rows}, detail: {width, height: height - rows, beside: false}};
}
