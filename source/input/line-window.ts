import {printable} from '../terminal/printable.ts';
import {textWidth} from '../terminal/width.ts';
import type {LineField} from './line-field.ts';

/** The part of a field that shows in a number of cells, printable, in the three parts that are drawn. */
type LineWindow = {
	readonly before: string;
	/** The glyph under the caret; a blank behind the end. */
	readonly at: string;
	readonly behind: string;
	/** Cell of the caret, counted from the window's left edge. */
	readonly column: number;
	/** There is more text to the left or the right. */
	readonly isCutLeft: boolean;
	readonly isCutRight: boolean;
};

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** Of a longer text only this much on each side of the caret is looked at: no terminal shows more. */
const looked = 4096;

/** The part of a field's text that can show, and where it begins. */
function around({text, caret}: LineField): {readonly part: string; readonly start: number} {
	if (text.length <= 2 * looked) return {part: text, start: 0};
	const at = graphemes.segment(text).containing(Math.max(0, caret - looked));
	const start = at?.index ?? 0;
	return {part: text.slice(start, caret + looked), start};
}

/**
 * The part of the field that shows in `width` cells. The caret's glyph is always whole inside, with a
 * few cells of what stands before it; a field that fits shows from its beginning.
 */
export function lineWindow(field: LineField, width: number, {ascii = false} = {}): LineWindow {
	const {part, start: first} = around(field);
	const glyphs = [...graphemes.segment(part)].map(({segment, index}) => {
		const shown = printable(segment, {ascii});
		return {index: first + index, shown, cells: textWidth(shown)};
	});
	const found = glyphs.findIndex(({index}) => index >= field.caret);
	const caret = found === -1 ? glyphs.length : found;
	const total = glyphs.reduce((sum, {cells}) => sum + cells, 0);
	const caretCells = Math.max(Math.min(glyphs[caret]?.cells ?? 1, width), 0);

	let start = 0;
	if (total + (caret === glyphs.length ? 1 : 0) > width) {
		// Room before the caret is filled first, but for a third of the window where text goes on behind.
		const rest = glyphs.slice(caret + 1).reduce((sum, {cells}) => sum + cells, 0);
		let room = width - caretCells - Math.min(rest, Math.floor(width / 3));
		start = caret;
		for (let previous = glyphs[start - 1]; previous !== undefined; previous = glyphs[start - 1]) {
			if (previous.cells > room) break;
			room -= previous.cells;
			start--;
		}
	}
	const before = glyphs.slice(start, caret);
	const column = before.reduce((sum, {cells}) => sum + cells, 0);
	let room = width - column - caretCells;
	let end = caret + 1;
	for (let next = glyphs[end]; next !== undefined && next.cells <= room; next = glyphs[end]) {
		room -= next.cells;
		end++;
	}
	const under = glyphs[caret];
	return {
		before: before.map(({shown}) => shown).join(''),
		at: under === undefined || under.cells > width ? ' '.repeat(caretCells) : under.shown,
		behind: glyphs
			.slice(caret + 1, end)
			.map(({shown}) => shown)
			.join(''),
		column,
		isCutLeft: start > 0 || first > 0,
		isCutRight: end < glyphs.length || first + part.length < field.text.length,
	};
}
