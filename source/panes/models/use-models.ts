import {useMemo} from 'react';
import {ownSorts} from '../../contract/own-lists.ts';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useLocal} from '../../hooks/explorer.tsx';
import {useListing} from '../../hooks/listing.ts';
import type {Binding} from '../../input/binding.ts';
import {printLink} from '../../store/links/link.ts';
import {copyBinding} from '../copy-binding.ts';
import {termBindings} from '../listing/listing-bindings.ts';

const category = 'Models';

/** The models that show, the selected one, and what can be done with it. */
export function useShownModels() {
	const explorer = useExplorer();
	const copy = useCopy();
	const isOwn = useLocal(({document}) => document !== undefined);
	const listing = useListing(explorer.catalog.models);
	const {selected} = listing;
	const bindings = useMemo<readonly Binding[]>(
		() => [
			copyBinding('models', category, () => {
				if (selected !== undefined)
					copy(printLink({kind: 'model', id: selected.artifact_id}), 'the link to the model');
			}),
			...termBindings(explorer, {
				list: 'models',
				category,
				// What another service sorts by is not shown.
				terms: isOwn
					? [{key: 's', term: 'sort', description: 'sort', values: [undefined, ...ownSorts.slice(1)]}]
					: [],
			}),
		],
		[explorer, copy, isOwn, selected],
	);
	return {...listing, bindings};
}
