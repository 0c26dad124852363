import type {InputEvent, KeyEvent, MouseEvent, ReplyEvent} from './input-event.ts';
import {
	isOneGrapheme,
	keypadText,
	kittyKey,
	letterKeys,
	type Modifier,
	type Modifiers,
	noModifiers,
	spellKey,
	tildeKeys,
} from './key-codes.ts';

/** The meaning of one complete control sequence from the terminal. */

const modifierBits: readonly (readonly [number, Modifier])[] = [
	[1, 'shift'],
	[2, 'alt'],
	[4, 'ctrl'],
	[8, 'super'],
	[32, 'alt'],
];

/** Reads the modifier parameter of xterm and kitty: one more than the bits of the keys that are held. */
function modifiersOf(parameter: number | undefined): Modifiers {
	const bits = (parameter ?? 1) - 1;
	if (bits <= 0) return noModifiers;
	return new Set(modifierBits.filter(([bit]) => (bits & bit) !== 0).map(([, modifier]) => modifier));
}

/** Builds a key event; a key that no ctrl, alt or super is held with types its character. */
export function keyEvent(base: string, modifiers: Modifiers, sequence: string, text?: string): KeyEvent {
	const key = spellKey(base, modifiers);
	const types = !(modifiers.has('ctrl') || modifiers.has('alt') || modifiers.has('super'));
	const own = base === 'space' ? ' ' : isOneGrapheme(key) ? key : '';
	return {type: 'key', key, text: types ? (text ?? own) : '', sequence};
}

function reply(kind: ReplyEvent['kind'], data: string): ReplyEvent {
	return {type: 'reply', kind, data};
}

/** Numbers of a parameter string; the parts behind colons belong to the number before them. */
function numbers(parameters: string): readonly (readonly (number | undefined)[])[] {
	return parameters
		.split(';')
		.map(part => part.split(':').map(digits => (/^\d{1,9}$/.test(digits) ? Number(digits) : undefined)));
}

/** `CSI code:shifted:base ; modifiers:event ; text u`, and xterm's `CSI 27 ; modifiers ; code ~`. */
function unicodeKey(
	code: number | undefined,
	shifted: number | undefined,
	modifiers: Modifiers,
	sequence: string,
): KeyEvent | undefined {
	const base = code === undefined ? undefined : kittyKey(code);
	if (base === undefined) return undefined;
	const isShifted = modifiers.has('shift') && shifted !== undefined && !modifiers.has('ctrl');
	const upper = isShifted ? kittyKey(shifted) : undefined;
	return keyEvent(upper ?? base, modifiers, sequence);
}

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['wheel-up', 'wheel-down', 'wheel-left', 'wheel-right'] as const;

/** `CSI < code ; column ; row M`, or `m` for a release (xterm's mode 1006). */
function mouseEvent(parameters: string, final: string): MouseEvent | undefined {
	const [[code] = [], [column] = [], [row] = []] = numbers(parameters);
	if (code === undefined || column === undefined || row === undefined) return undefined;
	const isWheel = (code & 64) !== 0;
	const which = code & 3;
	const isMotion = (code & 32) !== 0;
	const button = isWheel ? 'none' : (buttons[which] ?? 'none');
	let action: MouseEvent['action'];
	if (isWheel) action = wheels[which] ?? 'wheel-up';
	else if (final === 'm') action = 'release';
	else if (isMotion) action = button === 'none' ? 'move' : 'drag';
	else action = 'press';
	return {
		type: 'mouse',
		action,
		button,
		column: Math.max(column - 1, 0),
		row: Math.max(row - 1, 0),
		ctrl: (code & 16) !== 0,
		alt: (code & 8) !== 0,
		shift: (code & 4) !== 0,
	};
}

/** `CSI number ; modifiers ~` and rxvt's `CSI number $ ^ @`. */
function tildeKey(
	parameters: string,
	modifiers: Modifiers | undefined,
	sequence: string,
): InputEvent | undefined {
	const [[number] = [], [modifier] = [], [code] = []] = numbers(parameters);
	if (number === 27) return unicodeKey(code, undefined, modifiersOf(modifier), sequence);
	const base = number === undefined ? undefined : tildeKeys[number];
	return base === undefined ? undefined : keyEvent(base, modifiers ?? modifiersOf(modifier), sequence);
}

const rxvtModifiers: Readonly<Record<string, Modifiers>> = {
	$: new Set<Modifier>(['shift']),
	'^': new Set<Modifier>(['ctrl']),
	'@': new Set<Modifier>(['ctrl', 'shift']),
};

/** Answers to queries, by the private marker and the final characters. */
function replyKind(parameters: string, final: string): ReplyEvent['kind'] {
	if (final === 'c') return 'device-attributes';
	if (final === 'R') return 'cursor-position';
	if (final === '$y') return 'mode';
	if (final === 'u' && parameters.startsWith('?')) return 'kitty-keyboard';
	if (final === 't') return 'window';
	return 'unknown';
}

/**
 * @param parameters everything between `CSI` and `final`, `?`, `<` and the like among it.
 * @param final the last character, with intermediates before it (`$y`).
 * @returns undefined for what means nothing: the release of a key, a key that is none of ours.
 */
export function csiEvent(parameters: string, final: string): InputEvent | undefined {
	const sequence = `\u001b[${parameters}${final}`;
	if (parameters.startsWith('<') && (final === 'M' || final === 'm')) {
		return mouseEvent(parameters.slice(1), final);
	}
	if (/^[<=>?]/.test(parameters)) return reply(replyKind(parameters, final), parameters + final);
	const [[code, shifted] = [], [modifier, kind] = []] = numbers(parameters);
	// Key releases are reported only where asked for; pressing is what counts.
	if (kind === 3) return undefined;
	if (final === '~' || rxvtModifiers[final] !== undefined) {
		return tildeKey(parameters, rxvtModifiers[final], sequence) ?? reply('unknown', parameters + final);
	}
	if (final === 'u') return unicodeKey(code, shifted, modifiersOf(modifier), sequence);
	if (parameters === '' && (final === 'I' || final === 'O')) {
		return {type: 'window-focus', focused: final === 'I'};
	}
	if (final === 'Z') return keyEvent('tab', new Set([...modifiersOf(modifier), 'shift']), sequence);
	// A cursor position has two numbers, as a modified F3 of old had; the reply is the likelier.
	const base = final === 'R' && parameters !== '' ? undefined : letterKeys[final];
	if (base !== undefined) return keyEvent(base, modifiersOf(modifier), sequence);
	const rxvtShift = /^[a-d]$/.test(final) && parameters === '' ? letterKeys[final.toUpperCase()] : undefined;
	if (rxvtShift !== undefined) return keyEvent(rxvtShift, new Set(['shift']), sequence);
	return reply(replyKind(parameters, final), parameters + final);
}

/** `ESC O`, sometimes a modifier, and a letter. */
export function ss3Event(parameters: string, final: string): InputEvent | undefined {
	const sequence = `\u001bO${parameters}${final}`;
	const modifiers = modifiersOf(parameters === '' ? undefined : Number(parameters.split(';').at(-1)));
	if (final === 'M') return keyEvent('enter', modifiers, sequence);
	if (final === 'I') return keyEvent('tab', modifiers, sequence);
	const text = keypadText[final];
	if (text !== undefined) return keyEvent(text, modifiers, sequence);
	const base = letterKeys[final];
	if (base !== undefined) return keyEvent(base, modifiers, sequence);
	const rxvtCtrl = /^[a-d]$/.test(final) ? letterKeys[final.toUpperCase()] : undefined;
	return rxvtCtrl === undefined ? undefined : keyEvent(rxvtCtrl, new Set(['ctrl']), sequence);
}
