import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {artifactFigure} from '../../contract/artifact-figure.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import {age, grouped} from '../../terminal/quantity.ts';

const kindWidth = 14;
const episodesWidth = 10;
const framesWidth = 13;
const jobsWidth = 7;
const ageWidth = 5;

/** A dataset in a line: its path, its kind, how much it holds, how many jobs had to do with it, how long ago it changed. */
export function datasetRow(
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
