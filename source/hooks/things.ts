import {useMemo} from 'react';
import {useStore} from 'zustand';
import type {LinkKind} from '../store/links/link.ts';
import {useExplorer} from './explorer.tsx';

/** Things that are known by name. */
export type Things = {
	readonly things: readonly {
		readonly kind: Exclude<LinkKind, 'episode'>;
		readonly id: string;
		readonly name: string;
	}[];
	/** Names of datasets whose episodes were seen. */
	readonly datasets: readonly string[];
};

/** Everything that has a name here: datasets, models, projects, jobs, uploads. */
export function useThings(): Things {
	const explorer = useExplorer();
	const {catalog, jobs, uploads} = explorer;
	const datasets = useStore(catalog.datasets.known, ({names}) => names);
	const models = useStore(catalog.models.known, ({names}) => names);
	const projects = useStore(catalog.projects.known, ({names}) => names);
	const known = useStore(jobs.known, ({jobs: all}) => all);
	const entries = useStore(uploads.known, feed => feed.entries);
	return useMemo(() => {
		const listed = (kind: 'dataset' | 'model' | 'project', names: typeof datasets) =>
			names.map(({key, label}) => ({kind, id: key, name: label}));
		return {
			things: [
				...listed('dataset', datasets),
				...listed('model', models),
				...listed('project', projects),
				...known.flatMap(({id, name}) => (name === undefined ? [] : [{kind: 'job' as const, id, name}])),
				...entries.flatMap(({operationId: id, name}) =>
					id === undefined || name === undefined ? [] : [{kind: 'upload' as const, id, name}],
				),
			],
			datasets: explorer.datasetNames,
		};
	}, [datasets, models, projects, known, entries, explorer]);
}
