/** How deep arrays and objects may nest in a body: beyond some thousands of levels, what walks a value fails. */
export const maxJsonDepth = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Where the string that begins at `start` ends: most of a text is strings, and what looks for a letter is quick. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let escapes = end;
		while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
		if ((end - escapes) % 2 === 0) return end;
	}
	return text.length;
}

/** True if a text of JSON nests deeper than {@link maxJsonDepth}; call it before parsing. */
export function nestsTooDeep(text: string): boolean {
	let depth = 0;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code === QUOTE) i = endOfString(text, i);
		else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
			depth++;
			if (depth > maxJsonDepth) return true;
		} else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
	}
	return false;
}
