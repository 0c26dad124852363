import type {DialogRow} from '../../components/dialog.tsx';
import type {KeyOf} from '../../components/key-words.ts';
import type {Binding} from '../../input/binding.ts';
import {hintAt, hintSegments, type KeyHint} from './key-hints.ts';

/** A row that names the keys of a dialog. */
export type DialogKeys = {
	readonly row: DialogRow;
	/** The action named at a cell of the dialog, counted from its frame. */
	readonly actionAt: (column: number) => string | undefined;
};

/** The frame and a blank. */
const lead = 2;

/** Names the keys of a question inside the dialog, in the order of the footer, so that the answers stand beside it. */
export function dialogKeys(bindings: readonly Binding[], keyOf: KeyOf): DialogKeys {
	const hints = bindings
		.filter(({footer, when}) => footer !== undefined && when?.() !== false)
		.sort((a, b) => (a.footer ?? 0) - (b.footer ?? 0))
		.flatMap(({action, description, hint}): KeyHint[] => {
			const keys = keyOf(action);
			return keys === undefined ? [] : [{keys, text: hint ?? description, action}];
		});
	return {
		row: {segments: [' ', ...hintSegments(hints)]},
		actionAt: column => hintAt(hints, column - lead),
	};
}
