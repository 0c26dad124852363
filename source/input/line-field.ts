import type {KeyEvent, PasteEvent} from '../terminal/input-event.ts';

/** A one-line text field: its text, the caret, and what undo goes back to. Change it by `editField`. */
export type LineField = {
	readonly text: string;
	/** Offset in code units, always between two graphemes. */
	readonly caret: number;
	readonly undo: readonly {readonly text: string; readonly caret: number}[];
	/** The text that ctrl+w, ctrl+u or ctrl+k cut last, for ctrl+y. */
	readonly cut: string;
	/** The last edit typed one grapheme: the next one typed joins it in one undo step. */
	readonly isTyping: boolean;
	/** So many code units it takes; what is typed or pasted beyond is left out. */
	readonly most: number;
};

export type FieldEdit =
	| {readonly do: 'insert'; readonly text: string}
	| {readonly do: 'set'; readonly text: string; readonly caret?: number}
	| {
			readonly do:
				| 'left'
				| 'right'
				| 'word-left'
				| 'word-right'
				| 'home'
				| 'end'
				| 'delete-left'
				| 'delete-right'
				| 'delete-word-left'
				| 'delete-word-right'
				| 'delete-to-start'
				| 'delete-to-end'
				| 'yank'
				| 'undo';
	  };

const maxUndo = 200;
/** Characters that are kept to be undone to, in all. */
const maxUndoLength = 4_000_000;
/** Longer than most fields of the interface take; a paste of a whole file must not make typing slow. */
const maxLength = 4096;

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});
const words = new Intl.Segmenter('en', {granularity: 'word'});

/** A field with the caret behind the text. */
export function lineField(text = '', most = maxLength): LineField {
	const line = foldLines(text);
	return {text: line, caret: line.length, undo: [], cut: '', isTyping: false, most};
}

/** One line of what may have been several: line ends and tabs become blanks, the rest of the controls go. */
function foldLines(text: string): string {
	const lines = text.split(/[\r\n\u0085\u2028\u2029]+/u);
	return lines
		.map((line, place) => (place < lines.length - 1 ? line.trimEnd() : line))
		.map((line, place) => (place > 0 ? line.trimStart() : line))
		.join(' ')
		.replaceAll('\t', ' ')
		.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
}

/** The grapheme boundary before `at`, or 0. */
function before(text: string, at: number): number {
	return graphemes.segment(text).containing(at - 1)?.index ?? 0;
}

/** The grapheme boundary behind `at`, or the end. */
function behind(text: string, at: number): number {
	const here = graphemes.segment(text).containing(at);
	return here === undefined ? text.length : here.index + here.segment.length;
}

/** The nearest boundary that is not inside a grapheme, at or before `at`. */
function boundary(text: string, at: number): number {
	if (at >= text.length) return text.length;
	return graphemes.segment(text).containing(Math.max(at, 0))?.index ?? 0;
}

function wordBefore(text: string, at: number): number {
	let start = 0;
	for (const {segment, index, isWordLike} of words.segment(text)) {
		if (index >= at) break;
		if (isWordLike || segment.trim() !== '') start = index;
	}
	return start;
}

function wordBehind(text: string, at: number): number {
	for (const {segment, index} of words.segment(text)) {
		if (index + segment.length > at && segment.trim() !== '') return index + segment.length;
	}
	return text.length;
}

/** The blank-separated word before the caret, as ctrl+w takes it: in a filter that is one term. */
function termBefore(text: string, at: number): number {
	const end = text.slice(0, at).trimEnd().length;
	const space = text.slice(0, end).search(/\s\S*$/u);
	return space + 1;
}

function move(field: LineField, caret: number): LineField {
	return {...field, caret, isTyping: false};
}

function change(field: LineField, text: string, caret: number, more: Partial<LineField> = {}): LineField {
	if (text === field.text) return move(field, boundary(text, caret));
	const steps = Math.max(1, Math.min(maxUndo, Math.floor(maxUndoLength / (field.text.length + 1))));
	const undo = [...field.undo, {text: field.text, caret: field.caret}].slice(-steps);
	return {...field, text, caret: boundary(text, caret), undo, isTyping: false, ...more};
}

function insert(field: LineField, typed: string): LineField {
	const room = field.most - field.text.length;
	const wanted = foldLines(typed);
	const fitting = wanted.slice(0, boundary(wanted, Math.max(room, 0)));
	if (fitting === '') return field;
	const text = field.text.slice(0, field.caret) + fitting + field.text.slice(field.caret);
	const caret = behindInserted(text, field.caret + fitting.length);
	const isTyping = behind(fitting, 0) === fitting.length && fitting !== ' ';
	if (isTyping && field.isTyping) return {...field, text, caret};
	return change(field, text, caret, {isTyping});
}

/** Typed text may join the following text into one grapheme: the caret goes behind both. */
function behindInserted(text: string, at: number): number {
	const start = boundary(text, at);
	return start === at ? at : behind(text, start);
}

/** Cuts from `from` to `to`; what is more than a character can be yanked back. */
function remove(field: LineField, from: number, to: number, isKept: boolean): LineField {
	if (from >= to) return move(field, field.caret);
	const text = field.text.slice(0, from) + field.text.slice(to);
	return change(field, text, from, isKept ? {cut: field.text.slice(from, to)} : {});
}

/** The field after an edit; the same object where nothing changed. */
export function editField(field: LineField, edit: FieldEdit): LineField {
	const {text, caret} = field;
	switch (edit.do) {
		case 'insert':
			return insert(field, edit.text);
		case 'set': {
			const line = foldLines(edit.text).slice(0, field.most);
			return change(field, line, edit.caret ?? line.length);
		}
		case 'left':
			return move(field, before(text, caret));
		case 'right':
			return move(field, behind(text, caret));
		case 'word-left':
			return move(field, wordBefore(text, caret));
		case 'word-right':
			return move(field, wordBehind(text, caret));
		case 'home':
			return move(field, 0);
		case 'end':
			return move(field, text.length);
		case 'delete-left':
			return remove(field, before(text, caret), caret, false);
		case 'delete-right':
			return remove(field, caret, behind(text, caret), false);
		case 'delete-word-left':
			return remove(field, termBefore(text, caret), caret, true);
		case 'delete-word-right':
			return remove(field, caret, wordBehind(text, caret), true);
		case 'delete-to-start':
			return remove(field, 0, caret, true);
		case 'delete-to-end':
			return remove(field, caret, text.length, true);
		case 'yank':
			return insert(field, field.cut);
		case 'undo': {
			const last = field.undo.at(-1);
			if (last === undefined) return field;
			return {...field, ...last, undo: field.undo.slice(0, -1), isTyping: false};
		}
	}
}

type Movement = Exclude<FieldEdit, {do: 'insert' | 'set'}>['do'];

const editsByKey: Readonly<Record<string, Movement>> = {
	left: 'left',
	'ctrl+b': 'left',
	right: 'right',
	'ctrl+f': 'right',
	'alt+b': 'word-left',
	'alt+left': 'word-left',
	'ctrl+left': 'word-left',
	'alt+f': 'word-right',
	'alt+right': 'word-right',
	'ctrl+right': 'word-right',
	home: 'home',
	'ctrl+a': 'home',
	end: 'end',
	'ctrl+e': 'end',
	backspace: 'delete-left',
	'shift+backspace': 'delete-left',
	delete: 'delete-right',
	'ctrl+w': 'delete-word-left',
	'alt+backspace': 'delete-word-left',
	'ctrl+backspace': 'delete-word-left',
	'alt+d': 'delete-word-right',
	'ctrl+delete': 'delete-word-right',
	'ctrl+u': 'delete-to-start',
	'ctrl+k': 'delete-to-end',
	'ctrl+y': 'yank',
	'ctrl+_': 'undo',
};

/** The edit that a key or a paste means in a field, or undefined where it means none. */
export function fieldEdit(event: KeyEvent | PasteEvent): FieldEdit | undefined {
	if (event.type === 'paste' || event.text !== '') return {do: 'insert', text: event.text};
	const movement = Object.hasOwn(editsByKey, event.key) ? editsByKey[event.key] : undefined;
	return movement === undefined ? undefined : {do: movement};
}
