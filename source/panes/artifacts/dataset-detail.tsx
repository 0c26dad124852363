import {type ReactNode, useCallback, useEffect, useMemo, useState} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useJobs} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {rowsAround, useOpenedDataset, useOpenedOrigin, useShownRows} from '../../hooks/listing.ts';
import type {Binding} from '../../input/binding.ts';
import {edited} from '../../store/state/transitions.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {absentLines} from '../list/listing-lines.ts';
import {OpenedPane} from '../list/opened-pane.tsx';
import {datasetLines} from './dataset-lines.ts';
import {useShownDatasets} from './datasets-bindings.ts';

const nothingUnfolded: ReadonlySet<string> = new Set();

/** A dataset in full: its fields, its jobs, its files at a branch, and its card. */
export function DatasetDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const ways = useWays();
	const {jobs} = useJobs();
	const {selected, keys, rowOf, bindings, sought} = useShownDatasets();
	useShownRows(explorer.catalog.datasets, {keys, rowOf}, rowsAround);
	const opened = useOpenedDataset();
	const [unfolded, setUnfolded] = useState({path: '', folders: nothingUnfolded});
	const path = selected?.path;
	useEffect(() => {
		explorer.catalog.files.open(path);
	}, [explorer, path]);
	const id = selected?.artifact_id;
	useEffect(() => {
		explorer.catalog.origin.open(id);
	}, [explorer, id]);
	const origin = useOpenedOrigin();
	const toggle = useCallback(
		(folder: string) =>
			setUnfolded(before => {
				const folders = new Set(before.path === path ? before.folders : nothingUnfolded);
				if (!folders.delete(folder)) folders.add(folder);
				return {path: path ?? '', folders};
			}),
		[path],
	);
	const width = look.beside ? look.width - 1 : look.width;
	const folders = unfolded.path === path ? unfolded.folders : nothingUnfolded;
	const lines = useMemo(() => {
		if (selected === undefined) return absentLines(sought);
		const jobName = (id: string) => jobs.find(job => job.id === id)?.name;
		const files = opened?.path === selected.path ? opened : undefined;
		const made = origin?.datasetId === selected.artifact_id ? origin : undefined;
		const look = {width, screen, jobName, ways};
		return datasetLines(selected, {...look, opened: files, origin: made, unfolded: folders, toggle});
	}, [selected, sought, jobs, opened, origin, width, screen, ways, folders, toggle]);
	const own = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['b'],
				action: 'datasets.ref',
				description: 'branch, tag or commit',
				category: 'Datasets',
				footer: 35,
				when: () => path !== undefined,
				run: () => explorer.update(edited({list: 'datasets', what: 'ref'})),
			},
			...bindings,
		],
		[explorer, bindings, path],
	);
	return (
		<OpenedPane
			{...look}
			list="datasets"
			title={selected?.path ?? ''}
			noun="Dataset"
			keys={keys}
			lines={lines}
			bindings={own}
		/>
	);
}
