import type {ReactNode} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {artifactFigure, type DatasetItem} from '../../contract/listing.ts';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import {age, grouped} from '../../terminal/quantity.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {listingAside, listingEmpty} from '../list/listing-lines.ts';
import {useShownDatasets} from './datasets-bindings.ts';

/** The sort and the narrowing besides a search, in words. */
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

/** The datasets of the account, read as far as the reader scrolls. */
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
				hint: 'lakescope ingest DIR and lakescope upload DIR add datasets.',
			})}
			bindings={bindings}
			freshness={known.freshness}
			aside={listingAside(known, {asked: askedWords(terms), keyOf})}
		/>
	);
}

const kindWidth = 14;
const episodesWidth = 10;
const framesWidth = 13;
const jobsWidth = 7;
const ageWidth = 5;

/** A dataset in a line: path, kind, episodes, frames, number of jobs, and time since the last change. */
function datasetRow(
	item: DatasetItem,
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {cell, signs} = screen;
	const figure = (what: 'episodes' | 'frames') => {
		const value = artifactFigure(item, what);
		return value === undefined ? signs.none : grouped(value);
	};
	const jobs = item.jobs?.length ?? 0;
	const isWide = width >= 90;
	const used = kindWidth + episodesWidth + ageWidth + 2 + (isWide ? framesWidth + jobsWidth : 0);
	return [
		cell(item.path, Math.max(8, width - used), {cut: 'start'}),
		' ',
		cell(item.subtype, kindWidth, {role: item.subtype === 'lerobot_v3' ? 'dim' : 'accent'}),
		cell(`${figure('episodes')} ep`, episodesWidth, {align: 'right'}),
		...(isWide
			? [
					cell(`${figure('frames')} fr`, framesWidth, {align: 'right'}),
					cell(jobs === 0 ? '' : `${jobs} job${jobs === 1 ? '' : 's'}`, jobsWidth, {
						align: 'right',
						role: 'dim',
					}),
				]
			: []),
		' ',
		cell(age(now - Date.parse(item.updated_at)), ageWidth, {align: 'right', role: 'dim'}),
	];
}
