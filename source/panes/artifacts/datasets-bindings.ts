import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useLocal} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {useListing} from '../../hooks/listing.ts';
import type {Binding} from '../../input/binding.ts';
import {datasetTerms} from '../../store/artifacts/dataset-listing.ts';
import {withoutEpisodes} from '../../store/artifacts/dataset-origin.ts';
import {trainableType} from '../../store/finetune/opened-for.ts';
import {askToForget} from '../../store/forget-dataset.ts';
import {printLink} from '../../store/queries/link.ts';
import {copyBinding} from '../list/copy-binding.ts';
import {termBindings} from '../list/listing-lines.ts';

const category = 'Datasets';

/** The datasets that show, the selected one, and its keys. */
export function useShownDatasets() {
	const explorer = useExplorer();
	const copy = useCopy();
	const {toDataset} = useWays();
	const listing = useListing(explorer.catalog.datasets);
	const {selected} = listing;
	const canForget = useLocal(({document}) => document?.abilities.includes('forget') ?? false);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['e'],
				action: 'datasets.episodes',
				description: 'its episodes',
				category,
				...(selected !== undefined && withoutEpisodes(selected) === undefined && {footer: 12}),
				when: () => selected !== undefined,
				run() {
					if (selected === undefined) return;
					const reason = withoutEpisodes(selected);
					if (reason === undefined) toDataset(selected);
					else explorer.notify('warning', reason);
				},
			},
			{
				keys: ['l'],
				action: 'datasets.launch',
				description: 'launch a fine-tune',
				category,
				...(selected?.subtype === trainableType && {footer: 13}),
				when: () => selected !== undefined,
				run() {
					if (selected !== undefined) explorer.finetune.openDataset(selected);
				},
			},
			{
				keys: ['x'],
				action: 'datasets.forget',
				description: 'forget',
				category,
				...(canForget && {footer: 36}),
				when: () => selected !== undefined,
				run() {
					if (selected === undefined || !explorer.mayChange()) return;
					if (canForget) void askToForget(explorer, selected.artifact_id);
					else
						explorer.notify(
							'warning',
							'A hosted service cannot forget datasets: the interface has no such call.',
						);
				},
			},
			copyBinding('datasets', category, () => {
				if (selected !== undefined)
					copy(printLink({kind: 'dataset', id: selected.artifact_id}), 'the dataset link');
			}),
			...termBindings(explorer, {
				list: 'datasets',
				category,
				terms: [
					{
						key: 't',
						term: 'dataset_type',
						description: 'type',
						values: [undefined, ...datasetTerms.dataset_type],
					},
					{
						key: 'd',
						term: 'direction',
						description: 'direction',
						values: [undefined, ...datasetTerms.direction],
					},
					{key: 's', term: 'sort', description: 'sort', values: [undefined, ...datasetTerms.sort.slice(1)]},
				],
			}),
		],
		[explorer, copy, toDataset, selected, canForget],
	);
	return {...listing, bindings};
}
