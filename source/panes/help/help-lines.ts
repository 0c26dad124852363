import {cellsOf, type Segment} from '../../components/segment.ts';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import {showKeys} from '../../input/key-name.ts';

const keysWidth = 20;

/** Everything that the screen offers, by category, a line an action with all its keys. */
export function helpLines(
	commands: readonly ActiveBinding[],
	options: {unicode: boolean},
): readonly (readonly Segment[])[] {
	const categories = new Map<string, ActiveBinding[]>();
	for (const command of commands) {
		if (command.keys.length === 0) continue;
		const category = command.category ?? 'Anywhere';
		categories.set(category, [...(categories.get(category) ?? []), command]);
	}
	return [...categories].flatMap(([category, members], place) => [
		...(place === 0 ? [] : [[]]),
		[' ', {text: category, role: 'title' as const}],
		...members.map(({keys, description}): readonly Segment[] => {
			const shown = keys.map(chord => showKeys(chord, options)).join('  ');
			return [
				'  ',
				{text: shown, role: 'accent'},
				' '.repeat(Math.max(2, keysWidth - cellsOf(shown))),
				description,
			];
		}),
	]);
}
