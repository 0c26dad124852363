/** The panes of the Explore view, in the order that tab walks them. */
export const explorePanes = ['facets', 'episodes', 'detail'] as const;
export type ExplorePane = (typeof explorePanes)[number];

export type Size = {readonly width: number; readonly height: number};

/** Where the panes stand. A pane that is absent has no room just now; focusing it brings it up. */
export type ExploreLayout = {
	readonly facets?: Size;
	readonly episodes?: Size;
	readonly detail?: Size & {readonly beside: boolean};
};

const wideFrom = 100;
const threeColumnsFrom = 160;
/** Rows from which the detail has a place below the table: a narrow table is read more than looked at. */
const stackedFrom = {wide: 20, narrow: 28};

/**
 * Shares a body of `width` × `height` cells among the panes: facets at the left from 100 columns on, the detail
 * below the table where there are rows enough or beside it from 160 columns on, else one pane at a time.
 *
 * @param options.focused the pane that must be there.
 * @param options.zoomed give the focused pane everything.
 */
export function exploreLayout(
	{width, height}: Size,
	{focused, zoomed}: {focused: ExplorePane; zoomed: boolean},
): ExploreLayout {
	const whole = {width, height};
	const isWide = width >= wideFrom;
	const isStacked = height >= (isWide ? stackedFrom.wide : stackedFrom.narrow);
	if (zoomed || (!isWide && !isStacked)) return one(focused, whole);
	if (!isWide) return focused === 'facets' ? one('facets', whole) : stacked(whole);

	const facets = {width: clamp(Math.round(width * 0.25), 28, 40), height};
	const main = {width: width - facets.width, height};
	if (width >= threeColumnsFrom) {
		const detail = {width: clamp(Math.round(width * 0.3), 52, 76), height, beside: true};
		return {facets, detail, episodes: {width: main.width - detail.width, height}};
	}
	if (isStacked) return {facets, ...stacked(main)};
	return {facets, ...one(focused === 'detail' ? 'detail' : 'episodes', main)};
}

function one(pane: ExplorePane, size: Size): ExploreLayout {
	if (pane === 'facets') return {facets: size};
	return pane === 'detail' ? {detail: {...size, beside: false}} : {episodes: size};
}

function stacked({width, height}: Size): ExploreLayout {
	const below = clamp(Math.round(height * 0.38), 7, 22);
	return {episodes: {width, height: height - below}, detail: {width, height: below, beside: false}};
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}
