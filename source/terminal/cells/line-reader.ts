import {textWidth} from '../width.ts';
import {covered, Glyphs, isSure} from './glyphs.ts';
import {plain, Styles} from './styles.ts';

/** A line as cells. */
export type CellLine = {
	/** A number each cell; `covered` behind the first cell of a wide glyph. */
	readonly glyphs: Int32Array;
	readonly styles: Int32Array;
};

const esc = '\u001b';
const bel = '\u0007';
const content = `[^${bel}${esc}]*`;
const stringEnd = `(?:${bel}|${esc}\\\\)`;

/** SGR, a link, then whatever else begins with an escape: that is left out, as a terminal's own business. */
const sequence = new RegExp(
	[
		`${esc}\\[([\\d;:]*)m`,
		`${esc}\\]8;([^;${bel}${esc}]*;${content})${stringEnd}`,
		`${esc}\\[[0-?]*[ -/]*[@-~]`,
		`${esc}[\\]PX^_]${content}${stringEnd}?`,
		`${esc}[ -/]*[0-~]?`,
	].join('|'),
	'g',
);

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** Lines of the newest frames that are kept, and as many of those before: a few screens, two kilobytes a line. */
const keptLines = 400;

/** Reads styled text, a line at a time; a line that was read before costs nothing. */
export class LineReader {
	readonly glyphs = new Glyphs();
	readonly styles = new Styles();
	#young = new Map<string, CellLine>();
	#old = new Map<string, CellLine>();
	#glyphs = new Int32Array(512);
	#styles = new Int32Array(512);
	#length = 0;

	/** Too much was seen: `clear` before the next frame, which must then be drawn from nothing. */
	get isFull(): boolean {
		return this.glyphs.isFull || this.styles.isFull;
	}

	clear(): void {
		this.glyphs.clear();
		this.styles.clear();
		this.#young.clear();
		this.#old.clear();
	}

	read(text: string): CellLine {
		const kept = this.#young.get(text);
		if (kept !== undefined) return kept;
		const line = this.#old.get(text) ?? this.#parse(text);
		if (this.#young.size >= keptLines) {
			this.#old = this.#young;
			this.#young = new Map();
		}
		this.#young.set(text, line);
		return line;
	}

	#parse(text: string): CellLine {
		this.#length = 0;
		let style = plain;
		let from = 0;
		for (const match of text.matchAll(sequence)) {
			this.#put(text, from, match.index, style);
			from = match.index + match[0].length;
			const [, sgr, link] = match;
			if (sgr !== undefined) style = this.styles.after(style, sgr);
			else if (link !== undefined) style = this.styles.linked(style, link);
		}
		this.#put(text, from, text.length, style);
		return {
			glyphs: this.#glyphs.slice(0, this.#length),
			styles: this.#styles.slice(0, this.#length),
		};
	}

	/** Code units that stand alone are cells by themselves; only what lies between such is cut into graphemes. */
	#put(text: string, from: number, to: number, style: number): void {
		for (let at = from; at < to; ) {
			if (isAlone(text, at, to)) {
				this.#add(text.charCodeAt(at), 1, style);
				at++;
				continue;
			}
			let end = at + 1;
			while (end < to && !isAlone(text, end, to)) end++;
			for (const {segment} of graphemes.segment(text.slice(at, end))) {
				// Ink gives what takes no cell of its own a cell all the same, and leaves out what is to be ignored.
				if (/^[\p{Default_Ignorable_Code_Point}\p{Cc}]+$/u.test(segment)) continue;
				this.#add(this.glyphs.number(segment), Math.max(1, textWidth(segment)), style);
			}
			at = end;
		}
	}

	#add(glyph: number, width: number, style: number): void {
		if (this.#length + width > this.#glyphs.length) this.#grow(this.#length + width);
		this.#glyphs[this.#length] = glyph;
		this.#styles.fill(style, this.#length, this.#length + width);
		this.#glyphs.fill(covered, this.#length + 1, this.#length + width);
		this.#length += width;
	}

	#grow(least: number): void {
		const length = Math.max(least, this.#glyphs.length * 2);
		const [glyphs, styles] = [this.#glyphs, this.#styles];
		this.#glyphs = new Int32Array(length);
		this.#styles = new Int32Array(length);
		this.#glyphs.set(glyphs);
		this.#styles.set(styles);
	}
}

/** One cell, one code unit, and nothing after it that could join it. */
function isAlone(text: string, at: number, to: number): boolean {
	return isNarrow(text.charCodeAt(at)) && (at + 1 >= to || isNarrow(text.charCodeAt(at + 1)));
}

function isNarrow(unit: number): boolean {
	if (unit < 0x7f) return unit >= 0x20;
	return unit >= 0xa1 && unit !== 0xad && unit !== 0xa9 && unit !== 0xae && unit < 0x3041 && isSure(unit);
}
