import {editField, type FieldEdit, type LineField, lineField} from '../../input/line-field.ts';
import {completed, wordAt} from '../../query/complete.ts';
import type {Candidate, Span} from '../../query/term.ts';

/** As much as a paste brings at most: what is too long is said, not cut. */
const longestLine = 1_048_576;

/** The filter line while it is typed: the field, and where its reader is among what is offered and remembered. */
export type LineEditor = {
	readonly field: LineField;
	/** The candidate that tab and enter take; none until one is chosen. */
	readonly chosen: number | undefined;
	/** The list is closed until more is typed, or opened before a word is begun. */
	readonly list: 'by itself' | 'put away' | 'asked for';
	/** Which of the remembered lines shows, and what was typed before. */
	readonly recalled: {readonly place: number; readonly typed: LineField} | undefined;
	/** The last key put a blank behind a term: a comma goes before it. */
	readonly hasSpare: boolean;
	/** The line was to be applied as it is and cannot be. */
	readonly isRefused: boolean;
};

export function lineEditor(text: string): LineEditor {
	const field = lineField(text, longestLine);
	return {
		field,
		chosen: undefined,
		list: 'by itself',
		recalled: undefined,
		hasSpare: false,
		isRefused: false,
	};
}

/** The list shows if a word is begun, the line is empty, or tab has opened it. */
export function isListShown({field: {text, caret}, list, recalled}: LineEditor): boolean {
	if (list !== 'by itself') return list === 'asked for';
	if (recalled !== undefined) return false;
	return text.trim() === '' || wordAt(text, caret).start < caret;
}

/** Types, deletes or moves. */
export function edited(editor: LineEditor, edit: FieldEdit): LineEditor {
	const isJoined = editor.hasSpare && edit.do === 'insert' && edit.text.startsWith(',');
	const before = isJoined ? editField(editor.field, {do: 'delete-left'}) : editor.field;
	const field = editField(before, edit);
	if (field === editor.field) return editor;
	const isChanged = field.text !== editor.field.text;
	return {
		field,
		chosen: undefined,
		list: isChanged ? 'by itself' : editor.list,
		recalled: isChanged ? undefined : editor.recalled,
		hasSpare: false,
		isRefused: editor.isRefused && !isChanged,
	};
}

/** Goes to another candidate of `count`; above the first there is none chosen. */
export function chose(editor: LineEditor, by: number, count: number): LineEditor {
	const to = Math.min(count - 1, (editor.chosen ?? -1) + by);
	return {...editor, chosen: to < 0 ? undefined : to, list: 'asked for'};
}

/** Shows what is offered although nothing of a word is typed. */
export function askedFor(editor: LineEditor): LineEditor {
	return {...editor, list: 'asked for'};
}

export function putAway(editor: LineEditor): LineEditor {
	return {...editor, chosen: undefined, list: 'put away'};
}

/** Puts a candidate in its place. */
export function took(editor: LineEditor, span: Span, candidate: Candidate): LineEditor {
	const {text, caret} = completed(editor.field.text, span, candidate);
	const field = editField(editor.field, {do: 'set', text, caret});
	return {
		...lineEditor(''),
		field,
		// A list goes on with a comma, and offers its next value then.
		list: candidate.kind === 'value' ? 'put away' : 'by itself',
		hasSpare: candidate.ends && text[caret - 1] === ' ',
	};
}

/** Goes back among the lines that are remembered, the newest first, or forward to what was typed. */
export function recalledLine(editor: LineEditor, by: 1 | -1, lines: readonly string[]): LineEditor {
	const typed = editor.recalled?.typed ?? editor.field;
	const others = lines.filter(line => line !== typed.text.trim());
	const place = (editor.recalled?.place ?? -1) + by;
	if (place >= others.length || place < -1) return editor;
	if (place === -1) return {...lineEditor(''), field: typed, list: 'put away'};
	const field = editField(typed, {do: 'set', text: others[place] ?? ''});
	return {...lineEditor(''), field, list: 'put away', recalled: {place, typed}};
}

/** The line cannot be applied as it is. */
export function refused(editor: LineEditor): LineEditor {
	return {...editor, isRefused: true, chosen: undefined};
}
