import type {Screen} from '../../components/screen.tsx';
import type {ProjectItem} from '../../contract/listing.ts';
import type {Ways} from '../../hooks/links.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {projectId} from '../../store/projects/project-item.ts';
import {statusLook} from '../jobs/job-words.ts';
import {fieldLines, headingLine} from '../list/detail-field-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {furtherFields} from '../listing/artifact-lines.ts';
import {linkTarget, targetLine} from '../listing/link-line.ts';

type ProjectLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly ways: Ways;
	/** Those of the project that are known. */
	readonly jobs: readonly JobEntry[];
	readonly isReading: boolean;
};

/** All that is known of a project, its jobs, and the way to the datasets that went through them. */
export function projectLines(item: ProjectItem, options: ProjectLinesOptions): readonly OpenedLine[] {
	const {width, screen, ways, jobs, isReading} = options;
	const id = projectId(item);
	const datasets =
		id === undefined
			? []
			: [
					targetLine(
						{label: 'datasets', text: 'those of its jobs'},
						{
							id: 'datasets',
							description: 'to its datasets',
							enter: () => ways.toList('datasets', {project_id: id}),
						},
						{screen},
					),
				];
	const none = isReading ? 'Reading the jobs.' : 'It has no job that is known here.';
	return [
		...fieldLines(furtherFields(item), width, screen),
		...datasets,
		[],
		headingLine('Jobs'),
		...(jobs.length === 0 ? [[' ', {text: none, role: 'dim'} as const]] : []),
		...jobs.map(job => {
			const {text: label} = statusLook(job, screen.signs);
			const line = {label, text: job.name ?? job.id, aside: job.phase ?? ''};
			return targetLine(line, linkTarget({kind: 'job', id: job.id}, ways.to), {screen});
		}),
	];
}
