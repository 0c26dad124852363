import {csiEvent, keyEvent, ss3Event} from './control-sequence.ts';
import type {InputEvent, ReplyEvent} from './input-event.ts';
import {controlKey, type Modifier, noModifiers} from './key-codes.ts';

/**
 * Bytes from the terminal to events, without timers: what may still become a longer sequence is kept
 * until more comes or `flush` says that nothing will.
 */
export type Decoder = {
	/** The events that the bytes complete, in order. */
	push(bytes: Uint8Array): readonly InputEvent[];
	/** The kind of input that is kept back, which decides how long to wait for more: see `holdTimes`. */
	readonly held: 'nothing' | 'escape' | 'sequence' | 'paste';
	/** Gives up waiting: a lone ESC becomes the key, an unfinished sequence is dropped, a paste ends. */
	flush(): readonly InputEvent[];
};

/** A paste beyond this many characters is cut: nothing here takes a text of that size. */
const maxPaste = 1_048_576;
/** A control sequence longer than this is none. */
const maxSequence = 256;
/** Of a reply in string form (OSC, DCS, APC) no more than this is kept. */
const maxReply = 4096;

const esc = '\u001b';
const pasteStart = '200~';
const pasteEnd = '\u001b[201~';

/** Not PM and SOS (`ESC ^`, `ESC X`), which no terminal sends: those are alt with that key. */
const stringKinds: Readonly<Record<string, ReplyEvent['kind']>> = {
	']': 'osc',
	P: 'dcs',
	_: 'apc',
};

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});
const alt = new Set<Modifier>(['alt']);

type Mode =
	| {readonly is: 'ground'}
	| {readonly is: 'paste'; text: string; isCut: boolean; tail: string}
	| {readonly is: 'string'; readonly introducer: string; data: string};

/** A step of the parser: how far it got, or that it needs more. */
type Step = {readonly end: number; readonly event?: InputEvent | undefined} | 'incomplete';

export function createDecoder(): Decoder {
	// Malformed bytes become U+FFFD, which no key types: they are dropped from keys and kept in pastes.
	const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
	let mode: Mode = {is: 'ground'};
	let rest = '';

	function decode(text: string): InputEvent[] {
		const events: InputEvent[] = [];
		let input = rest + text;
		rest = '';
		while (input !== '') {
			if (mode.is === 'paste') input = readPaste(mode, input, events);
			else if (mode.is === 'string') input = readString(mode, input, events);
			else input = readGround(input, events);
		}
		return events;
	}

	/** Reads until the input ends or another mode begins; returns what that mode is to read. */
	function readGround(input: string, events: InputEvent[]): string {
		let at = 0;
		while (at < input.length) {
			const character = input.charAt(at);
			if (character !== esc) {
				at = readPlain(input, at, events);
				continue;
			}
			const introducer = input.charAt(at + 1);
			if (stringKinds[introducer] !== undefined) {
				mode = {is: 'string', introducer, data: ''};
				return input.slice(at + 2);
			}
			const step = readEscape(input, at);
			if (step === 'incomplete') {
				rest = input.slice(at);
				return '';
			}
			if (input.slice(at + 2, step.end) === pasteStart && introducer === '[') {
				mode = {is: 'paste', text: '', isCut: false, tail: ''};
				return input.slice(step.end);
			}
			if (step.event !== undefined) events.push(step.event);
			at = step.end;
		}
		return '';
	}

	function readPaste(paste: Mode & {is: 'paste'}, input: string, events: InputEvent[]): string {
		// The end marker may be split between two chunks.
		const joined = paste.tail + input;
		const end = joined.indexOf(pasteEnd);
		const kept = end === -1 ? Math.max(joined.length - pasteEnd.length + 1, 0) : end;
		const room = maxPaste - paste.text.length;
		paste.text += joined.slice(0, Math.min(kept, room));
		paste.isCut ||= kept > room;
		paste.tail = joined.slice(kept);
		if (end === -1) return '';
		endPaste(paste, events);
		return joined.slice(end + pasteEnd.length);
	}

	function endPaste(paste: Mode & {is: 'paste'}, events: InputEvent[]): void {
		mode = {is: 'ground'};
		events.push({
			type: 'paste',
			text: paste.text.replaceAll(/\r\n?/g, '\n'),
			truncated: paste.isCut,
		});
	}

	/** Swallows the terminal's answer up to `ST` or `BEL`; another ESC begins something new. */
	function readString(string: Mode & {is: 'string'}, input: string, events: InputEvent[]): string {
		const end = endOfString(input);
		const last = input.charAt(end);
		string.data += input.slice(0, Math.min(end, Math.max(maxReply - string.data.length, 0)));
		if (last === '') return '';
		if (last === esc && end + 1 === input.length) {
			rest = esc;
			return '';
		}
		mode = {is: 'ground'};
		const isEnded = last !== esc || input.charAt(end + 1) === '\\';
		if (isEnded || string.data !== '') {
			events.push({type: 'reply', kind: stringKinds[string.introducer] ?? 'unknown', data: string.data});
		} else {
			events.push(keyEvent(string.introducer, alt, esc + string.introducer));
		}
		if (last !== esc) return input.slice(end + 1);
		return input.slice(isEnded ? end + 2 : end);
	}

	return {
		push: bytes => decode(utf8.decode(bytes, {stream: true})),
		get held() {
			if (mode.is === 'paste') return 'paste';
			if (mode.is === 'string') return 'sequence';
			if (rest === '') return 'nothing';
			return rest === esc ? 'escape' : 'sequence';
		},
		flush() {
			const events: InputEvent[] = [];
			const kept = rest;
			rest = '';
			if (mode.is === 'paste') {
				mode.text += mode.tail;
				mode.isCut = true;
				endPaste(mode, events);
			} else if (mode.is === 'string') {
				// Nothing behind the introducer: it was alt with that key.
				if (mode.data === '') events.push(keyEvent(mode.introducer, alt, esc + mode.introducer));
				mode = {is: 'ground'};
			} else if (kept === esc) {
				events.push(keyEvent('esc', noModifiers, kept));
			} else if (kept.length === 2) {
				events.push(keyEvent(kept.charAt(1), alt, kept));
			}
			return events;
		},
	};
}

const stringEnds = new Set(['\u0007', '\u001b', '\u009c', '\u0018', '\u001a']);

function endOfString(input: string): number {
	for (let at = 0; at < input.length; at++) {
		if (stringEnds.has(input.charAt(at))) return at;
	}
	return input.length;
}

const textRun = /\P{Cc}+/uy;

/** A run of text up to the next control character, grapheme by grapheme, or one control character. */
function readPlain(input: string, at: number, events: InputEvent[]): number {
	textRun.lastIndex = at;
	const run = textRun.exec(input)?.[0];
	if (run === undefined) {
		const code = input.charCodeAt(at);
		// A C1 character is no key: what sends 8-bit controls is not in UTF-8.
		if (code < 0x80) {
			const {base, isCtrl} = controlKey(code);
			events.push(keyEvent(base, isCtrl ? new Set(['ctrl']) : noModifiers, input.charAt(at)));
		}
		return at + 1;
	}
	for (const {segment} of graphemes.segment(run)) {
		const typed = segment.replaceAll('\ufffd', '');
		if (typed !== '') events.push(keyEvent(typed === ' ' ? 'space' : typed, noModifiers, typed, typed));
	}
	return at + run.length;
}

/** ESC and what belongs to it, but for the sequences in string form. */
function readEscape(input: string, at: number): Step {
	const next = input.charAt(at + 1);
	if (next === '') return 'incomplete';
	// ESC twice is the key twice; the second may begin something.
	if (next === esc) return {end: at + 1, event: keyEvent('esc', noModifiers, esc)};
	if (next === '[') return readCsi(input, at);
	if (next === 'O') return readSs3(input, at);
	const code = next.charCodeAt(0);
	if (code < 0x20 || code === 0x7f) {
		const {base, isCtrl} = controlKey(code);
		const modifiers: readonly Modifier[] = isCtrl ? ['ctrl', 'alt'] : ['alt'];
		return {end: at + 2, event: keyEvent(base, new Set(modifiers), esc + next)};
	}
	const typed = graphemes.segment(input.slice(at + 1, at + 64)).containing(0)?.segment ?? next;
	return {
		end: at + 1 + typed.length,
		event: keyEvent(typed === ' ' ? 'space' : typed, alt, esc + typed),
	};
}

const csiPattern = /^(?:\[([A-E])|([0-?]*)([ -/]*[@-~]))/;
const csiBeginning = /^(?:\[|[0-?]*[ -/]*)$/;

function readCsi(input: string, at: number): Step {
	const body = input.slice(at + 2, at + 2 + maxSequence);
	// rxvt's shifted keys end in an intermediate.
	const rxvt = /^([235678])\$/.exec(body);
	if (rxvt !== null) return {end: at + 4, event: csiEvent(rxvt[1] ?? '', '$')};
	const match = csiPattern.exec(body);
	if (match !== null) {
		const end = at + 2 + match[0].length;
		const [, linuxKey, parameters = '', final = ''] = match;
		if (linuxKey !== undefined) {
			return {end, event: keyEvent(`f${linuxKey.charCodeAt(0) - 64}`, noModifiers, input.slice(at, end))};
		}
		// The mouse report of old: three characters follow. We never ask for it.
		if (parameters === '' && final === 'M') {
			return input.length < end + 3 ? 'incomplete' : {end: end + 3};
		}
		return {end, event: csiEvent(parameters, final)};
	}
	if (csiBeginning.test(body) && body.length < maxSequence) return 'incomplete';
	return endBroken(body, at, '[');
}

function readSs3(input: string, at: number): Step {
	const body = input.slice(at + 2, at + 18);
	const match = /^([\d;]*)([A-Za-z])/.exec(body);
	if (match !== null) return {end: at + 2 + match[0].length, event: ss3Event(match[1] ?? '', match[2] ?? '')};
	if (/^[\d;]{0,15}$/.test(body)) return 'incomplete';
	return endBroken(body, at, 'O');
}

/** A sequence that something else interrupts: alone its introducer was alt with that key. */
function endBroken(body: string, at: number, introducer: string): Step {
	const length = /^[0-?]*[ -/]*/.exec(body)?.[0].length ?? 0;
	if (length === 0) return {end: at + 2, event: keyEvent(introducer, alt, esc + introducer)};
	return {end: at + 2 + length};
}
