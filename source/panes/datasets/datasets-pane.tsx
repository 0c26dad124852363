import type {ReactNode} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {listingAside, listingEmpty} from '../listing/listing-words.ts';
import {datasetRow} from './dataset-row.ts';
import {useShownDatasets} from './use-datasets.ts';

/** What is asked of the service besides a search, in words. */
function askedWords(terms: Readonly<Record<string, string>>): readonly string[] {
	const {dataset_type, direction, project_id, job_id, sort = 'newest'} = terms;
	return [
		dataset_type ?? '',
		direction === undefined ? '' : `${direction} of jobs`,
		project_id === undefined ? '' : `of project ${project_id.slice(0, 8)}`,
		job_id === undefined ? '' : `of job ${job_id.slice(0, 8)}`,
		sort === 'name' || sort === 'updated' ? `by ${sort}` : `${sort} first`,
	].filter(Boolean);
}

/** The datasets of the account, as far as somebody scrolls. */
export function DatasetsPane(look: ListLook): ReactNode {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const {search, terms} = useExplorerState(({lists}) => lists.datasets);
	const {known, keys, item, rowOf, bindings} = useShownDatasets();
	const keyOf = useKeyOf(bindings);
	useShownRows(catalog.datasets, {keys, rowOf}, Math.max(1, look.height - 1));
	const isNarrowed = search !== '' || Object.keys(terms).some(term => term !== 'sort');
	return (
		<ListPane
			{...look}
			list="datasets"
			title="Datasets"
			noun="dataset"
			keys={keys}
			rowOf={(row, width) => {
				const dataset = item(row);
				if (dataset === undefined) return [{text: screen.signs.ellipsis, role: 'dim'}];
				return datasetRow(dataset, {width, screen, now});
			}}
			empty={listingEmpty(known, {
				noun: 'dataset',
				keyOf,
				isNarrowed,
				hint: 'lakescope ingest DIR and lakescope upload DIR bring datasets in.',
			})}
			bindings={bindings}
			freshness={known.freshness}
			aside={listingAside(known, {asked: askedWords(terms), keyOf})}
		/>
	);
}
