import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {DefinitionItem} from '../../contract/local-definitions.ts';
import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {SavedView, SavedViewsKnown} from '../../store/saved-views/saved-views.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {counted} from '../../terminal/quantity.ts';

/** A name that the dialog asks for: of a new view, another one for a view, or the id of a definition. */
export type AskedName =
	| {readonly kind: 'save'}
	| {readonly kind: 'definition'}
	| {readonly kind: 'rename'; readonly view: SavedView};

const category = 'Saved views';

type Actions = {
	readonly explorer: Explorer;
	/** The item at the pointer. */
	readonly current: () => Openable | undefined;
	readonly open: (openable: Openable) => void;
	readonly ask: (name: AskedName) => void;
	readonly close: () => void;
};

/** The keys of the list of saved views. */
export function viewsBindings({explorer, current, open, ask, close}: Actions): readonly Binding[] {
	const {savedViews} = explorer;
	/** Acts on the item at the pointer, or says that there is none. */
	const onItem = (act: (openable: Openable) => void) => () => {
		const openable = current();
		if (openable === undefined) explorer.notify('info', 'There are no saved views yet.');
		else act(openable);
	};
	const onView = (act: (view: SavedView) => void, verb: string) =>
		onItem(openable => {
			if (openable.kind === 'view') act(openable.view);
			else explorer.notify('info', `This definition is saved by the service and cannot be ${verb} here.`);
		});
	return [
		{
			keys: ['enter'],
			action: 'views.open',
			description: 'open',
			category,
			footer: 1,
			run: onItem(open),
		},
		{
			keys: ['s', 'a'],
			action: 'views.save',
			description: 'save this view',
			category,
			footer: 2,
			run: () => ask({kind: 'save'}),
		},
		{
			keys: ['r'],
			action: 'views.rename',
			description: 'rename',
			category,
			footer: 3,
			run: onView(view => ask({kind: 'rename', view}), 'renamed'),
		},
		{
			keys: ['d', 'x'],
			action: 'views.delete',
			description: 'delete',
			category,
			footer: 4,
			run: onView(
				view =>
					explorer.update(
						asked({
							title: 'Delete the saved view?',
							lines: [view.name, view.filter || 'everything'],
							yes: 'delete',
							agree: () => void savedViews.remove(view),
						}),
					),
				'deleted',
			),
		},
		{
			keys: ['i'],
			action: 'views.definition',
			description: 'open a definition by id',
			category,
			footer: 5,
			run: () => ask({kind: 'definition'}),
		},
		{
			keys: ['esc', 'q', 'V'],
			action: 'views.close',
			description: 'close',
			category,
			footer: 6,
			run: close,
		},
	];
}

/** An item of the list: a view saved on this machine, or a definition saved by the service. */
export type Openable =
	| {readonly kind: 'view'; readonly view: SavedView}
	| {readonly kind: 'definition'; readonly definition: DefinitionItem};

export function openables({
	views,
	definitions,
}: Pick<SavedViewsKnown, 'views' | 'definitions'>): readonly Openable[] {
	return [
		...views.map(view => ({kind: 'view', view}) as const),
		...definitions.map(definition => ({kind: 'definition', definition}) as const),
	];
}

/** An item in `width` cells: its name and its filter. */
export function openableSegments(openable: Openable, width: number, {cell}: Screen): readonly Segment[] {
	const nameWidth = Math.min(28, Math.floor(width * 0.4));
	const {name, words} = wordsOf(openable);
	return [
		cell(name, nameWidth, {role: 'strong'}),
		' ',
		cell(words, Math.max(0, width - nameWidth - 1), {role: 'dim'}),
	];
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
