import type {DialogRow} from '../../components/dialog.tsx';
import type {KeyOf} from '../../components/key-words.ts';
import type {Binding} from '../../input/binding.ts';
import {hintAt, hintSegments, type KeyHint} from './key-hints.ts';

/** A row of a dialog that says what its keys do. */
type DialogKeys = {
	readonly row: DialogRow;
	/** The action whose words stand at a cell of the dialog, its frame counted. */
	readonly actionAt: (column: number) => string | undefined;
};

/** A blank, behind the frame. */
const lead = 2;

/** What the keys of a dialog do, in the order of the footer: who is asked should not have to look for the answers there. */
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
