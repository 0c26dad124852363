/** How deep arrays and objects may nest in a body: beyond some thousands of levels, what walks a value fails. */
export const maxJsonDepth = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Whether a text of JSON nests deeper than {@link maxJsonDepth}; to be asked before it is parsed. */
export function nestsTooDeep(text: string): boolean {
	let depth = 0;
	let inString = false;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (inString) {
			if (code === BACKSLASH) i++;
			else if (code === QUOTE) inString = false;
		} else if (code === QUOTE) inString = true;
		else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
			depth++;
			if (depth > maxJsonDepth) return true;
		} else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
	}
	return false;
}
