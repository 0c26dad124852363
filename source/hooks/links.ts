import {useCallback, useMemo} from 'react';
import {useStore} from 'zustand';
import type {DatasetItem} from '../contract/listing.ts';
import {useFocus} from '../input/react.tsx';
import type {Filter} from '../query/filter.ts';
import {parse} from '../query/parse.ts';
import {goTo, goToDataset, goToEpisodes, goToList, goToParents, paneOfLink} from '../store/go-to.ts';
import type {Link} from '../store/queries/link.ts';
import type {ListId} from '../store/state/list-location.ts';
import {useExplorer} from './explorer.tsx';

/** Goes to the target of a link, and moves the focus there. */
export type Ways = {
	readonly to: (link: Link) => void;
	readonly toList: (list: ListId, terms: Readonly<Record<string, string>>) => void;
	readonly toEpisodes: (filter: Partial<Filter>) => void;
	/** The same for a filter as the filter line says it. */
	readonly toFilter: (line: string) => void;
	/** To those of a dataset that is listed. */
	readonly toDataset: (item: DatasetItem) => void;
	/** To the episodes that those of a dataset were made of. */
	readonly toParents: (datasetId: string) => void;
};

export function useWays(): Ways {
	const explorer = useExplorer();
	const focus = useFocus();
	return useMemo(
		() => ({
			to(link) {
				goTo(explorer, link);
				focus.focus(paneOfLink(link));
			},
			toList(list, terms) {
				goToList(explorer, list, terms);
				focus.focus(list);
			},
			toEpisodes(filter) {
				goToEpisodes(explorer, filter);
				focus.focus('episodes');
			},
			toDataset(item) {
				goToDataset(explorer, item);
				focus.focus('episodes');
			},
			toParents(datasetId) {
				goToParents(explorer, datasetId);
				focus.focus('episodes');
			},
			toFilter(line) {
				const read = parse(line);
				if (!read.ok) {
					explorer.notify('error', `The filter ${line} cannot be read: ${read.problems[0]?.message ?? ''}`);
					return;
				}
				goToEpisodes(explorer, read.filter);
				focus.focus('episodes');
			},
		}),
		[explorer, focus],
	);
}

/** The known names of jobs, uploads, datasets, models and projects. */
export function useNames(): (link: Link) => string | undefined {
	const {jobs, uploads, catalog} = useExplorer();
	const known = useStore(jobs.known);
	const feed = useStore(uploads.known);
	const datasets = useStore(catalog.datasets.known);
	const models = useStore(catalog.models.known);
	const projects = useStore(catalog.projects.known);
	return useCallback(
		({kind, id}: Link) => {
			const listed = {dataset: datasets, model: models, project: projects};
			switch (kind) {
				case 'job':
					return known.jobs.find(job => job.id === id)?.name;
				case 'upload':
					return feed.entries.find(({operationId}) => operationId === id)?.name;
				case 'episode':
					return undefined;
				default:
					return listed[kind].names.find(({key}) => key === id)?.label;
			}
		},
		[known, feed, datasets, models, projects],
	);
}
