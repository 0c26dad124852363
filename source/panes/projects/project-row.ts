import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {ProjectItem} from '../../contract/listing.ts';
import {projectId, projectName} from '../../store/projects/project-item.ts';
import {age} from '../../terminal/quantity.ts';

const jobsWidth = 9;
const ageWidth = 5;

/** A project in a line: its name, what it is about, how many jobs it has, how long ago it changed, where that is told. */
export function projectRow(
	item: ProjectItem,
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {cell} = screen;
	const {jobs, description, updated_at: updated} = item;
	const nameWidth = Math.max(12, Math.floor(width / 3));
	const rest = Math.max(0, width - nameWidth - jobsWidth - ageWidth - 3);
	const count = typeof jobs === 'number' ? `${jobs} job${jobs === 1 ? '' : 's'}` : '';
	const about = typeof description === 'string' ? description : (projectId(item) ?? '');
	const changedAt = typeof updated === 'string' ? Date.parse(updated) : Number.NaN;
	return [
		cell(projectName(item) ?? projectId(item) ?? '(without a name)', nameWidth, {cut: 'middle'}),
		' ',
		cell(about, rest, {role: 'dim'}),
		' ',
		cell(count, jobsWidth, {align: 'right'}),
		' ',
		cell(Number.isNaN(changedAt) ? '' : age(now - changedAt), ageWidth, {align: 'right', role: 'dim'}),
	];
}
