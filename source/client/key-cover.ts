/** The text that replaces a key. */
const mark = '[the key]';

/** Below this length a "key" is a word that any answer may hold. */
const leastBodyChars = 8;

const escapeRegExp = (char: string) => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A character of a key as it stands in text or, escaped, in JSON: services differ in what they escape. */
function formsOf(char: string): string {
	const code = char.charCodeAt(0).toString(16).padStart(4, '0');
	const hex = [...code]
		.map(digit => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
		.join('');
	return `(?:${escapeRegExp(char)}|\\\\u${hex}${/["\\/]/.test(char) ? `|\\\\${escapeRegExp(char)}` : ''})`;
}

/** Keeps a key out of what a service says, wherever it echoes it, so that nothing can print it. */
export type KeyCover = {
	/** For sentences, headers and JSON: strikes the key out, whatever its length. */
	readonly text: (text: string) => string;
	/** For whole answers, which a key of a few letters must not garble. */
	readonly body: (text: string) => string;
	/** For text that comes in pieces: give each piece, then the end; the key may be cut between two. */
	readonly pieces: () => {readonly next: (piece: string) => string; readonly end: () => string};
};

const asItIs: KeyCover = {
	text: text => text,
	body: text => text,
	pieces: () => ({next: piece => piece, end: () => ''}),
};

export function createKeyCover(key: string | undefined): KeyCover {
	const trimmed = key?.trim();
	if (!trimmed) return asItIs;
	const forms = [...trimmed].map(formsOf);
	const whole = new RegExp(forms.join(''), 'g');
	// A host name or a media type comes in small letters.
	const inAnyCase = new RegExp(forms.join(''), 'gi');
	const partOfForm = '(?:\\\\(?:u[0-9a-fA-F]{0,3})?)?';
	const begun = new RegExp(`${forms.reduceRight((rest, form) => `(?:${form}${rest})?`, '')}${partOfForm}$`);
	const body = (text: string) =>
		trimmed.length < leastBodyChars
			? text
			: text.includes('\\')
				? text.replace(whole, mark)
				: text.replaceAll(trimmed, mark);
	return {
		text: text => text.replace(inAnyCase, mark),
		body,
		pieces: () => {
			let held = '';
			return {
				next(piece) {
					const text = body(held + piece);
					const at = begun.exec(text)?.index ?? text.length;
					held = text.slice(at);
					return text.slice(0, at);
				},
				end() {
					const rest = held;
					held = '';
					return rest;
				},
			};
		},
	};
}
