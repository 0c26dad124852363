import {expect, test} from 'vitest';
import {
	askedFor,
	chose,
	edited,
	isListShown,
	type LineEditor,
	lineEditor,
	putAway,
	recalledLine,
	refused,
	took,
} from '../../../source/panes/filter/line-editor.ts';
import {complete, type KnownValues} from '../../../source/query/complete.ts';

const known: KnownValues = {
	values: {task: [{value: 'fold'}, {value: 'wipe'}], tag: [{value: 'night'}]},
	channels: [],
};

const typed = (editor: LineEditor, text: string) =>
	[...text].reduce((at, letter) => edited(at, {do: 'insert', text: letter}), editor);

function taken(editor: LineEditor, place = 0): LineEditor {
	const {span, candidates} = complete(editor.field.text, editor.field.caret, known);
	const candidate = candidates[place];
	if (candidate === undefined) throw new Error(`nothing is offered for ${editor.field.text}`);
	return took(editor, span, candidate);
}

test('completions show for a begun word and on an empty line, else on request', () => {
	expect(isListShown(lineEditor(''))).toBe(true);
	expect(isListShown(lineEditor('tier:none '))).toBe(false);
	expect(isListShown(askedFor(lineEditor('tier:none ')))).toBe(true);
	expect(isListShown(typed(lineEditor('tier:none '), 't'))).toBe(true);
	const away = putAway(typed(lineEditor(''), 'ti'));
	expect(isListShown(away)).toBe(false);
	expect(isListShown(typed(away, 'e'))).toBe(true);
});

test('going down chooses, going up past the first chooses none, and typing chooses none again', () => {
	const second = chose(chose(lineEditor(''), 1, 3), 1, 3);
	expect(second.chosen).toBe(1);
	expect(chose(second, 5, 3).chosen).toBe(2);
	expect(chose(second, -2, 3).chosen).toBeUndefined();
	expect(typed(second, 't').chosen).toBeUndefined();
});

test('a candidate replaces its word; a comma continues a list, also before the blank after a term', () => {
	const task = taken(typed(taken(typed(lineEditor(''), 'tas')), 'f'));
	expect(task.field.text).toBe('task:fold');
	expect(isListShown(task)).toBe(false);
	expect(taken(typed(task, ',')).field.text).toBe('task:fold,wipe');
	const tag = taken(typed(lineEditor(''), 'tag:'));
	expect(tag.field.text).toBe('tag:night ');
	expect(typed(tag, ',').field.text).toBe('tag:night,');
	expect(typed(tag, 'x').field.text).toBe('tag:night x');
	expect(edited(tag, {do: 'undo'}).field.text).toBe('tag:');
});

test('earlier lines come newest first, and the typed line is there again at the end', () => {
	const lines = ['towel', 'tier:none', 'wipe'];
	const editor = typed(lineEditor(''), 'wipe');
	const first = recalledLine(editor, 1, lines);
	expect(first.field.text).toBe('towel');
	const second = recalledLine(first, 1, lines);
	expect(second.field.text).toBe('tier:none');
	expect(recalledLine(second, 1, lines)).toBe(second);
	expect(isListShown(second)).toBe(false);
	const back = recalledLine(recalledLine(second, -1, lines), -1, lines);
	expect(back.field.text).toBe('wipe');
	expect(recalledLine(back, -1, lines)).toBe(back);
	expect(typed(second, 'x').recalled).toBeUndefined();
});

test('a pasted line of 300 kB is kept whole', () => {
	const page = 'fold the towel '.repeat(20_000);
	const editor = edited(lineEditor(''), {do: 'insert', text: page});
	expect(editor.field.text).toHaveLength(300_000);
	expect(edited(editor, {do: 'delete-word-left'}).field.text).toHaveLength(300_000 - 'towel '.length);
});

test('a refusal lasts until something else is typed', () => {
	const line = refused(lineEditor('tier:x'));
	expect(edited(line, {do: 'left'}).isRefused).toBe(true);
	expect(typed(line, 'y').isRefused).toBe(false);
});
