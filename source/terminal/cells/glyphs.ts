/** The number of a blank cell. */
export const blank = 0x20;

/** The glyph of a cell that the glyph to its left also covers. */
export const covered = 0;

/**
 * Marks of pictures: a cell that bears one lies under that picture and is blank itself. They are private code points,
 * with which no foreign text is drawn (`printable.ts`).
 */
export const pictureMarks = {first: 0x100000, count: 0xe000};

export function isPictureMark(glyph: number): boolean {
	return glyph >= pictureMarks.first && glyph < pictureMarks.first + pictureMarks.count;
}

/** The glyph of a cell that has to be written whatever it is to hold: no glyph has this number. */
export const soiled = -1;

/** Numbers from here on are glyphs of several code points; those below are code points themselves. */
const firstCluster = 0x110000;

/** Beyond this many, what was seen is forgotten: no screen holds so many, so they are a stream of odd texts. */
const mostClusters = 20_000;

/** Glyphs as numbers, so that a screen of them can be compared fast. */
export class Glyphs {
	readonly #clusters: string[] = [];
	readonly #numbers = new Map<string, number>();

	/** Too many were seen: `clear` before the next frame, which must then be drawn from nothing. */
	get isFull(): boolean {
		return this.#clusters.length > mostClusters;
	}

	clear(): void {
		this.#clusters.length = 0;
		this.#numbers.clear();
	}

	number(grapheme: string): number {
		const first = grapheme.codePointAt(0) ?? blank;
		if (grapheme.length === (first > 0xffff ? 2 : 1)) return first;
		const known = this.#numbers.get(grapheme);
		if (known !== undefined) return known;
		const number = firstCluster + this.#clusters.length;
		this.#clusters.push(grapheme);
		this.#numbers.set(grapheme, number);
		return number;
	}

	text(glyph: number): string {
		if (isPictureMark(glyph)) return ' ';
		return glyph < firstCluster ? String.fromCodePoint(glyph) : (this.#clusters[glyph - firstCluster] ?? ' ');
	}

	/** Bytes of the glyph in UTF-8. */
	bytes(glyph: number): number {
		if (glyph < 0x80 || isPictureMark(glyph)) return 1;
		if (glyph < 0x800) return 2;
		if (glyph < 0x10000) return 3;
		return glyph < firstCluster ? 4 : Buffer.byteLength(this.text(glyph));
	}
}

/**
 * True if every terminal gives the glyph the same number of cells: letters without marks, lines, blocks and signs
 * of long standing, ideographs, kana and Hangul. Of emoji, marks and what is newer terminals think differently.
 */
export function isSure(glyph: number): boolean {
	if (glyph < 0x300 || isPictureMark(glyph)) return true;
	if (glyph > 0xffff) return false;
	return (
		(glyph >= 0x370 && glyph < 0x483) ||
		(glyph >= 0x2010 && glyph <= 0x2027) ||
		(glyph >= 0x2190 && glyph <= 0x21ff) ||
		// Dingbats and symbols from here on are emoji somewhere; lines, blocks, shapes and marks are not.
		(glyph >= 0x2500 && glyph < 0x25fb) ||
		glyph === 0x2713 ||
		glyph === 0x2717 ||
		(glyph >= 0x2800 && glyph <= 0x28ff) ||
		(glyph >= 0x3041 && glyph < 0x3097) ||
		(glyph >= 0x30a1 && glyph <= 0x30fa) ||
		(glyph >= 0x4e00 && glyph < 0x9ff0) ||
		(glyph >= 0xac00 && glyph <= 0xd7a3) ||
		(glyph >= 0xff01 && glyph <= 0xff5e)
	);
}
