import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {ModelItem} from '../../contract/listing.ts';
import {age} from '../../terminal/quantity.ts';

const kindWidth = 14;
const jobWidth = 13;
const ageWidth = 5;

/** A model in a line: its path, its kind, the job that made it, how long ago it changed. */
export function modelRow(
	{path, subtype, jobs, updated_at}: ModelItem,
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {cell} = screen;
	const maker = jobs?.find(({direction}) => direction === 'output')?.job_id;
	return [
		cell(path, Math.max(8, width - kindWidth - jobWidth - ageWidth - 2), {cut: 'start'}),
		' ',
		cell(subtype, kindWidth, {role: subtype === 'vla_model' ? 'dim' : 'accent'}),
		cell(maker === undefined ? '' : `job ${maker.slice(0, 8)}`, jobWidth, {role: 'dim'}),
		' ',
		cell(age(now - Date.parse(updated_at)), ageWidth, {align: 'right', role: 'dim'}),
	];
}
