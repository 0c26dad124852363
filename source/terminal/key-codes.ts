/**
 * The sequences that terminals send for keys that type nothing.
 *
 * Sources: xterm's ctlseqs (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "PC-Style Function
 * Keys"), the rxvt and Linux console terminfo entries, and the kitty keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions).
 */

/** By the last letter of a CSI or SS3 sequence. */
export const letterKeys: Readonly<Record<string, string>> = {
	A: 'up',
	B: 'down',
	C: 'right',
	D: 'left',
	E: 'begin',
	F: 'end',
	H: 'home',
	P: 'f1',
	Q: 'f2',
	R: 'f3',
	S: 'f4',
};

/** By the number of a `CSI number ~` sequence. */
export const tildeKeys: Readonly<Record<number, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pageup',
	6: 'pagedown',
	7: 'home',
	8: 'end',
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
	25: 'f13',
	26: 'f14',
	28: 'f15',
	29: 'f16',
	31: 'f17',
	32: 'f18',
	33: 'f19',
	34: 'f20',
};

/** Keypad in application mode, by the letter behind SS3: those that type. */
export const keypadText: Readonly<Record<string, string>> = {
	X: '=',
	j: '*',
	k: '+',
	l: ',',
	m: '-',
	n: '.',
	o: '/',
	...Object.fromEntries(
		Array.from({length: 10}, (_, digit) => [String.fromCharCode(112 + digit), `${digit}`]),
	),
};

const kittyBase = 57_344;

/** Keys that the kitty protocol numbers in the private use area; what is missing (media, bare modifiers) is no key of ours. */
const kittyPrivate: Readonly<Record<number, string>> = {
	19: 'menu',
	...Object.fromEntries(Array.from({length: 12}, (_, index) => [32 + index, `f${13 + index}`])),
	...Object.fromEntries(Array.from({length: 10}, (_, digit) => [55 + digit, `${digit}`])),
	65: '.',
	66: '/',
	67: '*',
	68: '-',
	69: '+',
	70: 'enter',
	71: '=',
	72: ',',
	73: 'left',
	74: 'right',
	75: 'up',
	76: 'down',
	77: 'pageup',
	78: 'pagedown',
	79: 'home',
	80: 'end',
	81: 'insert',
	82: 'delete',
	83: 'begin',
};

const kittyLegacy: Readonly<Record<number, string>> = {
	8: 'backspace',
	9: 'tab',
	13: 'enter',
	27: 'esc',
	32: 'space',
	127: 'backspace',
};

/** The key of a unicode key code as CSI u reports it, or undefined for one that is no key of ours. */
export function kittyKey(code: number): string | undefined {
	const legacy = kittyLegacy[code];
	if (legacy !== undefined) return legacy;
	// The private use area as a whole stands for functional keys.
	if (code >= kittyBase && code <= 63_743) return kittyPrivate[code - kittyBase];
	if (code < 32 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
	return String.fromCodePoint(code);
}

/** A C0 control byte, which is a key pressed with ctrl but for the few that have keys of their own. */
export function controlKey(code: number): {base: string; isCtrl: boolean} {
	if (code === 0x0d || code === 0x0a) return {base: 'enter', isCtrl: false};
	if (code === 0x09) return {base: 'tab', isCtrl: false};
	// Which of the two the backspace key sends differs from terminal to terminal.
	if (code === 0x7f || code === 0x08) return {base: 'backspace', isCtrl: false};
	if (code === 0x1b) return {base: 'esc', isCtrl: false};
	if (code === 0) return {base: 'space', isCtrl: true};
	return {base: String.fromCharCode(code + 0x40).toLowerCase(), isCtrl: true};
}

const modifierOrder = ['ctrl', 'alt', 'shift', 'super'] as const;
export type Modifier = (typeof modifierOrder)[number];
export type Modifiers = ReadonlySet<Modifier>;

export const noModifiers: Modifiers = new Set();

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** True if this is one user-perceived character: what a key can type. */
export function isOneGrapheme(text: string): boolean {
	if (text.length === 1) return true;
	const first = graphemes.segment(text).containing(0);
	return first !== undefined && first.segment.length === text.length;
}

/**
 * The one spelling of a key with its modifiers, which decoder and bindings share: `ctrl+d`, `shift+tab`.
 * Shift goes into the character where it has an upper case (`G`, `alt+G`); with ctrl a letter is lower
 * case, as most terminals send the same byte for both.
 */
export function spellKey(base: string, modifiers: Modifiers): string {
	const held = new Set(modifiers);
	let name = base;
	if (isOneGrapheme(base)) {
		if (held.has('ctrl')) {
			name = base.toLowerCase();
		} else if (held.has('shift')) {
			const upper = base.toUpperCase();
			if (isOneGrapheme(upper)) name = upper;
			held.delete('shift');
		}
	}
	return [...modifierOrder.filter(modifier => held.has(modifier)), name].join('+');
}
