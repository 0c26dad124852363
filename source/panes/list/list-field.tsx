import {type ReactNode, useCallback, useMemo} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import type {LineField} from '../../input/line-field.ts';
import {useBindings} from '../../input/react.tsx';
import type {ListId} from '../../store/state/list-location.ts';
import {edited} from '../../store/state/transitions.ts';
import {listSearched} from '../../store/state/view-transitions.ts';

type ListFieldProps = {
	readonly list: ListId;
	readonly what: 'search' | 'follow' | 'ref';
	/** Label of the field, unless it is a search: `job id`. */
	readonly noun: string;
	readonly width: number;
};

/** The field at the foot of a list: a search, or the id of something to follow. */
export function ListField({list, what, noun, width}: ListFieldProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const isSearch = what === 'search';
	const changed = useCallback(
		({text}: LineField) => {
			if (isSearch) explorer.update(listSearched(list, text));
		},
		[explorer, list, isSearch],
	);
	const {field, now, type} = useLineField(
		isSearch ? explorer.state.getState().lists[list].search : '',
		changed,
	);
	const bindings = useMemo<readonly Binding[]>(() => {
		/** @returns whether the text was accepted */
		const take = (text: string): boolean => {
			if (what === 'follow') return explorer.follow(list, text);
			const {files} = explorer.catalog;
			files.open(files.known.getState()?.path, text.trim() || undefined);
			return true;
		};
		return [
			{
				keys: ['enter'],
				action: `list-field.${what}`,
				description: isSearch ? 'to the rows found' : what === 'follow' ? 'follow' : 'show files',
				category: 'Field',
				footer: 1,
				run() {
					if (isSearch || take(now().text)) explorer.update(edited(undefined));
				},
			},
			{
				keys: ['esc'],
				action: 'list-field.leave',
				description: isSearch ? 'clear the search' : 'cancel',
				category: 'Field',
				footer: 2,
				run() {
					if (isSearch) explorer.update(listSearched(list, ''));
					explorer.update(edited(undefined));
				},
			},
		];
	}, [explorer, list, what, isSearch, now]);
	useBindings({id: 'list-field', level: 'dialog', modal: true, bindings, text: type});
	const label = isSearch ? ' / ' : ` ${noun}: `;
	return (
		<Line
			segments={[{text: label, role: 'focus'}, ...fieldSegments(field, width - label.length, screen)]}
			width={width}
		/>
	);
}
