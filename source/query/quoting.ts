const shortEscapes: Readonly<Record<string, string>> = {'"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t'};
const shortFor = new Map(Object.entries(shortEscapes).map(([letter, char]) => [char, letter]));

/** Characters that would break the line, hide in it or turn it round; written by number. */
const unwritable = /[\p{C}\p{Zl}\p{Zp}]/u;

/** A text in double quotes, on one line, with every character that would not survive a terminal escaped. */
export function quote(text: string): string {
	let inner = '';
	for (const char of text) {
		const short = shortFor.get(char);
		if (short !== undefined) inner += `\\${short}`;
		else if (unwritable.test(char)) inner += `\\u{${char.codePointAt(0)?.toString(16)}}`;
		else inner += char;
	}
	return `"${inner}"`;
}

const escapeSequence = /\\(?:(["\\nrt])|u\{([0-9a-fA-F]{1,6})\})/y;

/** A quoted text as {@link quote} writes it, read from the quote at `start`. */
type QuotedReading =
	| {readonly ok: true; readonly value: string; readonly end: number}
	| {readonly ok: false; readonly why: 'open' | 'escape'; readonly at: number};

export function readQuoted(text: string, start: number): QuotedReading {
	let value = '';
	let at = start + 1;
	while (at < text.length) {
		const char = text[at];
		if (char === '"') return {ok: true, value, end: at + 1};
		if (char !== '\\') {
			value += char;
			at++;
			continue;
		}
		escapeSequence.lastIndex = at;
		const [whole, short, hex] = escapeSequence.exec(text) ?? [];
		const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
		if (whole === undefined || code > 0x10_ff_ff) return {ok: false, why: 'escape', at};
		value += short === undefined ? String.fromCodePoint(code) : shortEscapes[short];
		at += whole.length;
	}
	return {ok: false, why: 'open', at: start};
}
