import {type ReactNode, useCallback, useEffect, useMemo, useState} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useJobs, useLocal} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {
	rowsAround,
	useOpenedDamages,
	useOpenedDataset,
	useOpenedOrigin,
	useShownRows,
} from '../../hooks/listing.ts';
import type {Binding} from '../../input/binding.ts';
import {withoutEpisodes} from '../../store/artifacts/dataset-origin.ts';
import {askToRepair, askToUndoRepair} from '../../store/repair-dataset.ts';
import {edited} from '../../store/state/transitions.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {absentLines} from '../list/listing-lines.ts';
import {OpenedPane} from '../list/opened-pane.tsx';
import {datasetLines} from './dataset-lines.ts';
import {useShownDatasets} from './datasets-bindings.ts';

const noRepairs =
	'A hosted service cannot repair datasets: the interface has no such call. Repair the folder itself: lakescope repair DIR.';

const nothingUnfolded: ReadonlySet<string> = new Set();

/** A dataset in full: its problems, its fields, its jobs, its files at a branch, and its card. */
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
	const canRepair = useLocal(({document}) => document?.abilities.includes('repair') ?? false);
	const isChecked = canRepair && selected !== undefined && withoutEpisodes(selected) === undefined;
	const mark = selected?.updated_at;
	useEffect(() => {
		explorer.catalog.damages.open(isChecked ? id : undefined, mark);
	}, [explorer, id, isChecked, mark]);
	const damages = useOpenedDamages();
	const repair = useCallback(
		(...ids: readonly string[]) => {
			if (id !== undefined && explorer.mayChange()) void askToRepair(explorer, id, ids, {counted, byteSize});
		},
		[explorer, id],
	);
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
		const found = damages?.datasetId === selected.artifact_id ? damages : undefined;
		const look = {width, screen, jobName, ways};
		const known = {opened: files, origin: made, damages: found, repair};
		return datasetLines(selected, {...look, ...known, unfolded: folders, toggle});
	}, [selected, sought, jobs, opened, origin, damages, repair, width, screen, ways, folders, toggle]);
	const report = damages?.datasetId === id ? damages?.report : undefined;
	const canMend = report?.damages.some(({repairable, severity}) => repairable && severity !== 'lerobot-rule');
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
			{
				keys: ['m'],
				action: 'datasets.repair',
				description: 'repair all',
				category: 'Datasets',
				...(canMend && {footer: 11}),
				when: () => id !== undefined,
				run() {
					if (canRepair) repair();
					else explorer.notify('warning', noRepairs);
				},
			},
			{
				keys: ['u'],
				action: 'datasets.undo-repair',
				description: 'take the repair back',
				category: 'Datasets',
				...(report?.undo && {footer: 14}),
				when: () => id !== undefined,
				run() {
					if (!canRepair) explorer.notify('warning', noRepairs);
					else if (report === undefined) explorer.notify('info', 'The dataset is still being looked at.');
					else if (explorer.mayChange()) askToUndoRepair(explorer, report);
				},
			},
			...bindings,
		],
		[explorer, bindings, path, id, canRepair, canMend, repair, report],
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
