/** A part of an episode, in shares of its length. */
export type PlotWindow = {readonly from: number; readonly until: number};

export const wholeEpisode: PlotWindow = {from: 0, until: 1};

/** Frames that a window shows at the least: with fewer there is nothing to read between. */
const fewestFrames = 8;

/** Where the plots are looked at, in shares of the episode's length. */
export type PlotPlace = {
	readonly window: PlotWindow;
	/** Undefined until the user has moved it. */
	readonly cursor: number | undefined;
};

export const plotStart: PlotPlace = {window: wholeEpisode, cursor: undefined};

/** The cell of a window that a place falls in; undefined where it lies beside the window. */
export function cellAt(
	cursor: number | undefined,
	{from, until}: PlotWindow,
	width: number,
): number | undefined {
	if (cursor === undefined || cursor < from || cursor > until) return undefined;
	return Math.min(width - 1, Math.floor(((cursor - from) / (until - from)) * width));
}

/** Moves the cursor by cells; the window goes along where it would be left. The first step brings the cursor up. */
export function cursorMoved({window, cursor}: PlotPlace, cells: number, width: number): PlotPlace {
	const span = window.until - window.from;
	const cell = span / width;
	const at =
		cursor === undefined ? undefined : window.from + (Math.floor((cursor - window.from) / cell) + 0.5) * cell;
	const to =
		at === undefined ? (cells > 0 ? window.from + cell / 2 : window.until - cell / 2) : at + cells * cell;
	const next = Math.min(1 - cell / 2, Math.max(cell / 2, to));
	const from = Math.min(next - cell / 2, Math.max(window.from, next + cell / 2 - span));
	return {window: slid({from, until: from + span}), cursor: next};
}

/**
 * Shows a part of the window, or more than it, around the cursor or the middle.
 *
 * @param factor of the span: 0.5 shows half of it.
 * @param frames how many the episode has.
 */
export function windowZoomed({window, cursor}: PlotPlace, factor: number, frames: number): PlotPlace {
	const span = window.until - window.from;
	const wanted = Math.min(1, Math.max(Math.min(1, fewestFrames / Math.max(1, frames)), span * factor));
	const around = cursor ?? window.from + span / 2;
	// The moment under the cursor stays where it is on the screen.
	const from = around - ((around - window.from) / span) * wanted;
	return {window: slid({from, until: from + wanted}), cursor};
}

/** A window of the same span within the episode. */
function slid({from, until}: PlotWindow): PlotWindow {
	const span = Math.min(1, until - from);
	const begin = Math.max(0, Math.min(1 - span, from));
	return {from: begin, until: Math.min(1, begin + span)};
}
