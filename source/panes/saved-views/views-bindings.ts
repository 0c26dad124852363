import type {DialogRow} from '../../components/dialog.tsx';
import type {Screen} from '../../components/screen.tsx';
import type {DefinitionItem} from '../../contract/local-definitions.ts';
import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {SavedView} from '../../store/saved-views/saved-views.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {counted} from '../../terminal/quantity.ts';
import {movementBindings, type Step} from '../list/movement.ts';

/** A line of text that is wanted: a name to save under, another name, the id of a definition. */
export type Asked =
	| {readonly what: 'save'}
	| {readonly what: 'definition'}
	| {readonly what: 'rename'; readonly view: SavedView};

const category = 'Saved views';

type Acts = {
	readonly explorer: Explorer;
	/** What the cursor is at. */
	readonly current: () => Openable | undefined;
	readonly open: (openable: Openable) => void;
	readonly ask: (what: Asked) => void;
	readonly close: () => void;
	readonly move: (step: Step) => void;
};

/** What can be done in the list of saved views. */
export function viewsBindings({explorer, current, open, ask, close, move}: Acts): readonly Binding[] {
	const {savedViews} = explorer;
	const onView = (act: (view: SavedView) => void) => () => {
		const openable = current();
		if (openable?.kind === 'view') act(openable.view);
	};
	return [
		{
			keys: ['enter'],
			action: 'views.open',
			description: 'open',
			category,
			footer: 1,
			run() {
				const openable = current();
				if (openable !== undefined) open(openable);
			},
		},
		{
			keys: ['s', 'a'],
			action: 'views.save',
			description: 'save this view',
			category,
			footer: 2,
			run: () => ask({what: 'save'}),
		},
		{
			keys: ['r'],
			action: 'views.rename',
			description: 'rename',
			category,
			footer: 3,
			run: onView(view => ask({what: 'rename', view})),
		},
		{
			keys: ['d', 'x'],
			action: 'views.delete',
			description: 'delete',
			category,
			footer: 4,
			run: onView(view =>
				explorer.update(
					asked({
						title: 'Delete the saved view?',
						lines: [view.name, view.filter || 'everything'],
						yes: 'delete',
						agree: () => void savedViews.remove(view),
					}),
				),
			),
		},
		{
			keys: ['i'],
			action: 'views.definition',
			description: 'open a definition by id',
			category,
			footer: 5,
			run: () => ask({what: 'definition'}),
		},
		{
			keys: ['esc', 'q', 'V'],
			action: 'views.close',
			description: 'close',
			category,
			footer: 6,
			run: close,
		},
		...movementBindings({name: 'views', category, noun: 'view', move}),
	];
}

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
