import type {FrameSink, ScreenSize} from '../ink-streams.ts';
import {eraseScreen} from '../modes.ts';
import type {PictureLayer} from '../pictures/picture-layer.ts';
import type {TtyOutput} from '../tty-output.ts';
import {changes} from './changes.ts';
import {blank} from './glyphs.ts';
import {Grid} from './grid.ts';
import {drawTree, type InkNode} from './ink-tree.ts';
import {LineReader} from './line-reader.ts';
import type {Pen} from './pen.ts';
import {plain} from './styles.ts';

const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';

/** Writes what Ink draws cell by cell: only what changed since the frame before. */
export type CellWriter = {
	/** Takes Ink's frames as text, each whole. */
	readonly sink: FrameSink;
	/** From now on draws Ink's tree itself, after each of Ink's commits; what it can't draw Ink draws as text. */
	follow(root: InkNode): void;
	/** Forgets the screen: the next frame starts from nothing. It comes soon, drawn anew or not. */
	repaint(): void;
	/** Pictures that lie on cells which bear their marks; drawn with the frame, a piece of one a frame. */
	setPictures(pictures: PictureLayer): void;
	/** Draws nothing while the screen is not ours. @returns the bytes that take away what is no cell */
	stop(): string;
	start(): void;
};

type CellWriterOptions = {
	/** Frames are no closer together than this; the first after a rest goes out at once. @default 33, as Ink's own */
	readonly frameMs?: number;
};

export function createCellWriter(
	output: Pick<TtyOutput, 'write' | 'isTaken' | 'whenTaken'>,
	size: () => ScreenSize,
	{frameMs = 33}: CellWriterOptions = {},
): CellWriter {
	const reader = new LineReader();
	const pen: Pen = {x: 0, y: 0, style: plain};
	/** The content of the screen; undefined if unknown. */
	let shown: Grid | undefined;
	let spare: Grid | undefined;
	let pictures: PictureLayer | undefined;
	let root: InkNode | undefined;
	let drawAsText: (() => void) | undefined;
	let text: string | undefined;
	let isStopped = true;
	let isWanted = false;
	let timer: NodeJS.Timeout | undefined;
	let lastAt = Number.NEGATIVE_INFINITY;

	/**
	 * A frame is wanted, once what follows on the same key is committed too, the last frame is long enough ago and the
	 * reader has taken it.
	 */
	function want({isAtOnce = false} = {}): void {
		if (isWanted || isStopped) return;
		isWanted = true;
		const pause = isAtOnce ? 0 : lastAt + frameMs - performance.now();
		const proceed = () => output.whenTaken(paint);
		if (pause <= 0) setImmediate(proceed);
		else timer = setTimeout(proceed, pause);
	}

	function paint(): void {
		if (!isWanted) return;
		isWanted = false;
		if (reader.isFull) {
			reader.clear();
			shown = undefined;
		}
		const {columns, rows} = size();
		const next = spare?.isSameSize({columns, rows}) ? spare : new Grid(columns, rows);
		if (draw(next)) show(next);
	}

	function draw(grid: Grid): boolean {
		grid.clear();
		if (root !== undefined) {
			if (drawTree(root, grid, reader)) return true;
			grid.clear();
			text = undefined;
			drawAsText?.();
		}
		if (text === undefined) return false;
		drawLines(text, grid);
		return true;
	}

	function drawLines(frame: string, grid: Grid): void {
		for (const [y, line] of frame.split('\n').entries()) grid.draw(reader.read(line), 0, y, grid.whole);
	}

	function show(next: Grid): void {
		let bytes = '';
		if (shown === undefined || !shown.isSameSize(next)) {
			bytes = (pictures?.reset() ?? '') + eraseScreen;
			Object.assign(pen, {x: 0, y: 0, style: plain});
			shown = new Grid(next.columns, next.rows);
		}
		const drawing = pictures?.isInUse ? pictures.draw(shown, next, reader) : undefined;
		// Terminals do not agree on whether what lies on a region scrolls with it.
		const changed = drawing === undefined ? scrolledChanges : changes;
		bytes += (drawing?.before ?? '') + changed(shown, next, pen, reader);
		if (drawing !== undefined && drawing.after !== '') {
			bytes += `${drawing.after}\u001b[H`;
			Object.assign(pen, {x: 0, y: 0});
		}
		spare = shown;
		shown = next;
		if (bytes === '') return;
		lastAt = performance.now();
		output.write(beginFrame + bytes + endFrame);
		// Pieces of a picture follow as they are taken; what changes meanwhile goes with the next.
		if (drawing?.isMore) want({isAtOnce: true});
	}

	return {
		sink: {
			write(frame, done) {
				text = frame;
				if (root === undefined) want();
				queueMicrotask(done);
				return output.isTaken;
			},
		},
		follow(next) {
			if (root === next) return;
			root = next;
			drawAsText = next.onRender;
			next.onRender = () => want();
		},
		repaint() {
			shown = undefined;
			want();
		},
		setPictures(layer) {
			pictures = layer;
		},
		start() {
			isStopped = false;
			shown = undefined;
			if (root !== undefined || text !== undefined) want();
		},
		stop() {
			isStopped = true;
			isWanted = false;
			clearTimeout(timer);
			return pictures?.reset() ?? '';
		},
	};
}

/** Rows `top` to `bottom`, both among them, that move up by `by` rows, down where it is negative. */
type Scroll = {readonly top: number; readonly bottom: number; readonly by: number};

/** A scroll that brings fewer rows to their place than this is not worth its own bytes. */
const leastRows = 2;
/** Only the likeliest are tried: each costs as much as the frame itself. */
const mostTries = 2;

/**
 * The bytes that turn one screen into another, as `changes`, after a region of whole rows was scrolled where that makes
 * them fewer.
 */
function scrolledChanges(from: Grid, to: Grid, pen: Pen, reader: LineReader): string {
	const start = {...pen};
	let best = changes(from, to, pen, reader);
	for (const scroll of likelyScrolls(from, to)) {
		const scrolledPen = {...start};
		const order = scrollBytes(scroll, from.rows, scrolledPen, reader);
		const scrolled = new Grid(from.columns, from.rows);
		scrolled.copyFrom(from);
		scrolled.scroll(scroll.top, scroll.bottom, scroll.by);
		const output = order + changes(scrolled, to, scrolledPen, reader);
		if (Buffer.byteLength(output) < Buffer.byteLength(best)) {
			best = output;
			Object.assign(pen, scrolledPen);
		}
	}
	return best;
}

/**
 * Deleting and inserting lines: what every terminal knows, the Linux console too. Setting margins moves the cursor home.
 * They are widened to all rows by number: some emulators (pyte 0.8) do not take `CSI r` for that.
 */
function scrollBytes({top, bottom, by}: Scroll, rows: number, pen: Pen, reader: LineReader): string {
	const look = reader.styles.erasesPlainly(pen.style) ? '' : reader.styles.way(pen.style, plain);
	if (look !== '') pen.style = plain;
	const place = top === 0 ? '' : `\u001b[${top + 1}H`;
	const margins = (first: number, last: number) => `\u001b[${first === 0 ? '' : first + 1};${last + 1}r`;
	const count = Math.abs(by) === 1 ? '' : String(Math.abs(by));
	pen.x = 0;
	pen.y = 0;
	const shift = `\u001b[${count}${by > 0 ? 'M' : 'L'}`;
	return `${look}${margins(top, bottom)}${place}${shift}${margins(0, rows - 1)}`;
}

/** Where rows of the new screen stood in the old one, the distances with the most such rows first. */
function likelyScrolls(from: Grid, to: Grid): readonly Scroll[] {
	const places = new Map<number, number[]>();
	for (let y = 0; y < from.rows; y++) {
		const hash = rowHash(from, y);
		if (hash !== undefined) places.set(hash, [...(places.get(hash) ?? []), y]);
	}
	const moved = new Map<number, number[]>();
	for (let y = 0; y < to.rows; y++) {
		const hash = rowHash(to, y);
		if (hash === undefined || from.isSameRow(y, to, y)) continue;
		for (const old of places.get(hash) ?? []) moved.set(old - y, [...(moved.get(old - y) ?? []), y]);
	}
	return [...moved]
		.filter(([by, rows]) => by !== 0 && rows.length >= leastRows)
		.sort(([, a], [, b]) => b.length - a.length)
		.slice(0, mostTries)
		.map(([by, rows]) => {
			const [first, last] = [rows[0] ?? 0, rows.at(-1) ?? 0];
			return {top: Math.min(first, first + by), bottom: Math.max(last, last + by), by};
		});
}

/** Two rows that look the same have one hash; a blank row has none: it says nothing of where it came from. */
function rowHash({columns, glyphs, styles}: Grid, y: number): number | undefined {
	let hash = 0;
	let isBlank = true;
	for (let at = y * columns; at < (y + 1) * columns; at++) {
		const glyph = glyphs[at] ?? blank;
		if (glyph !== blank) isBlank = false;
		hash = Math.imul(hash ^ glyph, 0x01000193) ^ Math.imul(styles[at] ?? plain, 0x9e3779b1);
	}
	return isBlank ? undefined : hash;
}
