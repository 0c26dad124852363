import {useMemo} from 'react';
import {ownSorts} from '../../contract/own-lists.ts';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useLocal} from '../../hooks/explorer.tsx';
import {useListing} from '../../hooks/listing.ts';
import type {Binding} from '../../input/binding.ts';
import {printLink} from '../../store/links/link.ts';
import {projectId} from '../../store/projects/project-item.ts';
import {overlaid} from '../../store/transitions.ts';
import {copyBinding} from '../copy-binding.ts';
import {termBindings} from '../listing/listing-bindings.ts';

const category = 'Projects';

/** The projects that show, the selected one, and what can be done with it. */
export function useShownProjects() {
	const explorer = useExplorer();
	const copy = useCopy();
	const isOwn = useLocal(({document}) => document !== undefined);
	const listing = useListing(explorer.catalog.projects);
	const {selected} = listing;
	const bindings = useMemo<readonly Binding[]>(() => {
		const id = selected && projectId(selected);
		return [
			{
				keys: ['a'],
				action: 'projects.create',
				description: 'new project',
				category,
				footer: 20,
				run() {
					if (explorer.mayChange()) explorer.update(overlaid('project'));
				},
			},
			copyBinding('projects', category, () => {
				if (id !== undefined) copy(printLink({kind: 'project', id}), 'the link to the project');
			}),
			...termBindings(explorer, {
				list: 'projects',
				category,
				// What another service sorts by is not shown.
				terms: isOwn
					? [{key: 's', term: 'sort', description: 'sort', values: [undefined, ...ownSorts.slice(1)]}]
					: [],
			}),
		];
	}, [explorer, copy, isOwn, selected]);
	return {...listing, bindings};
}
