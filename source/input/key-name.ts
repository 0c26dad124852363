import {namedKeys} from '../terminal/input-event.ts';
import {isOneGrapheme, type Modifier, spellKey} from '../terminal/key-codes.ts';

const modifierNames: Readonly<Record<string, Modifier>> = {
	ctrl: 'ctrl',
	control: 'ctrl',
	alt: 'alt',
	meta: 'alt',
	option: 'alt',
	shift: 'shift',
	super: 'super',
	cmd: 'super',
};

const keyNames: Readonly<Record<string, string>> = {
	...Object.fromEntries(namedKeys.map(name => [name, name])),
	return: 'enter',
	escape: 'esc',
	del: 'delete',
	ins: 'insert',
	bs: 'backspace',
	pgup: 'pageup',
	'page-up': 'pageup',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
	'page-down': 'pagedown',
	spacebar: 'space',
	plus: '+',
};

/** Splits `ctrl+x` at its plus signs, leaving a key that is itself a plus whole (`+`, `ctrl++`). */
function splitAtPlus(text: string): string[] {
	if (text === '+') return ['+'];
	const parts = text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
	return parts;
}

function baseName(text: string): string {
	if (text === ' ') return 'space';
	const known = keyNames[text.toLowerCase()];
	// A single letter is never an alias: `G` is the key that types G.
	if (known !== undefined && !isOneGrapheme(text)) return known;
	if (isOneGrapheme(text)) return text;
	throw new KeyNameError(text);
}

/** A key name in a binding or in the user's configuration that names no key. */
export class KeyNameError extends Error {
	override readonly name = 'KeyNameError';

	constructor(text: string) {
		super(
			`“${text}” is not a key: write one character, or one of ${namedKeys.slice(0, 15).join(', ')}, f1 to f24, ` +
				'with ctrl+, alt+ or shift+ before it',
		);
	}
}

function parseKey(text: string): string {
	const parts = splitAtPlus(text);
	const base = baseName(parts.at(-1) ?? '');
	const modifiers = new Set<Modifier>();
	for (const part of parts.slice(0, -1)) {
		const modifier = modifierNames[part.toLowerCase()];
		if (modifier === undefined) throw new KeyNameError(text);
		modifiers.add(modifier);
	}
	return spellKey(base, modifiers);
}

/**
 * Reads the keys of a binding: one key (`j`, `G`, `ctrl+d`, `pagedown`, `shift+tab`), or several after
 * one another with blanks between (`g g`). Case and aliases are settled: `Escape` is `esc`, `Ctrl+D` is
 * `ctrl+d`, `shift+g` is `G`.
 *
 * @throws {KeyNameError} on a name that is no key.
 */
export function parseKeys(text: string): readonly string[] {
	const known = parsed.get(text);
	if (known !== undefined) return known;
	const keys = parseChord(text);
	parsed.set(text, keys);
	return keys;
}

/** Every dispatch compares keys; there are only as many as bindings name. */
const parsed = new Map<string, readonly string[]>();

function parseChord(text: string): readonly string[] {
	if (text === ' ') return ['space'];
	const words = text.trim().split(/\s+/u);
	if (words[0] === '') throw new KeyNameError(text);
	return words.map(parseKey);
}

/** True for a key (not a chord) that types text: a field takes it before any binding. */
export function typesText(key: string): boolean {
	return key === 'space' || isOneGrapheme(key);
}

const shownNames: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	enter: 'enter',
	pageup: 'pgup',
	pagedown: 'pgdn',
};

/** A key as the footer and the help show it: `^D`, `↑`, `g g`, `shift+tab`. */
export function showKeys(keys: readonly string[], {unicode = true}: {unicode?: boolean} = {}): string {
	return keys.map(key => showKey(key, unicode)).join(' ');
}

function showKey(key: string, unicode: boolean): string {
	if (/^ctrl\+[!-~]$/u.test(key)) return `^${key.slice(5).toUpperCase()}`;
	const parts = splitAtPlus(key);
	const base = parts.at(-1) ?? key;
	const shown = shownNames[base];
	if (shown === undefined || (!unicode && shown.charCodeAt(0) > 127)) return key;
	return [...parts.slice(0, -1), shown].join('+');
}
