import type {DialogRow} from '../../components/dialog.tsx';
import type {Screen} from '../../components/screen.tsx';
import type {DefinitionItem} from '../../contract/definition-shape.ts';
import type {SavedView} from '../../store/saved-views/saved-views.ts';
import {counted} from '../../terminal/quantity.ts';

/** What can be opened: a view of one's own, or a definition that the service has saved. */
export type Openable =
	| {readonly kind: 'view'; readonly view: SavedView}
	| {readonly kind: 'definition'; readonly definition: DefinitionItem};

export function openables(
	views: readonly SavedView[],
	definitions: readonly DefinitionItem[],
): readonly Openable[] {
	return [
		...views.map(view => ({kind: 'view', view}) as const),
		...definitions.map(definition => ({kind: 'definition', definition}) as const),
	];
}

/** A row of the list: the name, and what it would show. */
export function openableRow(
	openable: Openable,
	{isSelected, width, screen}: {isSelected: boolean; width: number; screen: Screen},
): DialogRow {
	const nameWidth = Math.min(28, Math.floor(width * 0.4));
	const {name, words} = wordsOf(openable);
	return {
		segments: [
			isSelected ? screen.signs.pointer : ' ',
			screen.cell(name, nameWidth, {role: 'strong'}),
			' ',
			screen.cell(words, Math.max(0, width - nameWidth - 2), {role: 'dim'}),
		],
		look: isSelected ? 'selected' : 'plain',
	};
}

function wordsOf(openable: Openable): {name: string; words: string} {
	if (openable.kind === 'view') {
		const {name, filter} = openable.view;
		return {name, words: filter === '' ? 'everything' : filter};
	}
	const {name, kind, episode_count} = openable.definition;
	const what = kind === 'filter' ? 'a filter' : counted(episode_count ?? 0, 'episode');
	return {name, words: `${what}, saved by the service`};
}
