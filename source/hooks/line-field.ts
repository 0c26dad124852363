import {useCallback, useReducer, useRef} from 'react';
import {editField, fieldEdit, type LineField, lineField} from '../input/line-field.ts';
import type {KeyEvent, PasteEvent} from '../terminal/input-event.ts';

/** A field that takes keys faster than it is drawn. */
export type LineFieldState = {
	/** As it was when last drawn. */
	readonly field: LineField;
	/** As it is now: keys of one burst arrive before the next frame. */
	readonly now: () => LineField;
	/** Takes typed or pasted text; returns false for a key that does not edit. */
	readonly type: (event: KeyEvent | PasteEvent) => boolean;
	/** Writes another text into it, the caret at its end. */
	readonly set: (text: string) => void;
};

export function useLineField(initial: string, changed?: (field: LineField) => void): LineFieldState {
	const current = useRef<LineField | undefined>(undefined);
	current.current ??= lineField(initial);
	const [, draw] = useReducer((count: number) => count + 1, 0);
	const now = useCallback(() => (current.current ??= lineField(initial)), [initial]);
	const type = useCallback(
		(event: KeyEvent | PasteEvent) => {
			const edit = fieldEdit(event);
			if (edit === undefined) return false;
			const before = now();
			const after = editField(before, edit);
			if (after !== before) {
				current.current = after;
				draw();
				if (after.text !== before.text) changed?.(after);
			}
			return true;
		},
		[now, changed],
	);
	const set = useCallback(
		(text: string) => {
			current.current = lineField(text);
			draw();
			changed?.(current.current);
		},
		[changed],
	);
	return {field: current.current, now, type, set};
}
