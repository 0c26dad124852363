import type {Screen} from '../../components/screen.tsx';
import type {Ways} from '../../hooks/links.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import {isId, type Link} from '../../store/links/link.ts';
import type {Launch} from '../../store/remembered/remembered-state.ts';
import {counted} from '../../terminal/quantity.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {linkTarget, targetLine} from '../listing/link-line.ts';

export type JobLinksOptions = {
	readonly screen: Screen;
	readonly ways: Ways;
	readonly opened: OpenedJob | undefined;
	/** Models that are known to be made by it. */
	readonly models: readonly {readonly artifact_id: string; readonly path: string}[];
	readonly projectName: (id: string) => string | undefined;
	/** What is remembered of it, where it was launched from here. */
	readonly launch: Pick<Launch, 'filter' | 'picked'> | undefined;
};

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const id = (value: unknown) => (typeof value === 'string' && isId(value) ? value : undefined);

/** The lines of a job that lead somewhere: its episodes, its datasets, its project, its model. */
export function jobLinkLines(job: JobEntry, options: JobLinksOptions): readonly OpenedLine[] {
	const {screen, ways, opened, models, projectName, launch} = options;
	const {filter, picked} = launch ?? {};
	const fields: Readonly<Record<string, unknown>> = {...job.fields, ...opened?.job};
	const line = (label: string, shown: string, link: Link) =>
		targetLine({label, text: shown}, linkTarget(link, ways.to), {screen});
	const dataset = id(fields.dataset_id);
	const made = id(fields.augmented_dataset_id);
	const own = (opened?.job?.model ?? undefined) as {artifact_id: string; path: string} | undefined;
	const known =
		own === undefined ? models : [own, ...models.filter(each => each.artifact_id !== own.artifact_id)];
	return [
		...(picked === undefined
			? []
			: [
					targetLine(
						{label: 'made of', text: `${counted(picked.episodes, 'episode')}, picked one by one`},
						{id: 'picked', description: 'to them', enter: () => ways.toParents(picked.datasetId)},
						{screen},
					),
				]),
		...(filter === undefined
			? []
			: [
					targetLine(
						{label: 'episodes', text: filter === '' ? 'all of the lake' : filter},
						{id: 'episodes', description: 'to its episodes', enter: () => ways.toFilter(filter)},
						{screen},
					),
				]),
		...(dataset === undefined
			? []
			: [line('dataset', text(fields.dataset_path) ?? dataset, {kind: 'dataset', id: dataset})]),
		targetLine(
			{label: 'datasets', text: 'what went in and came out'},
			{
				id: 'datasets',
				description: 'to its datasets',
				enter: () => ways.toList('datasets', {job_id: job.id}),
			},
			{screen},
		),
		...(made === undefined ? [] : [line('made', made, {kind: 'dataset', id: made})]),
		...known.map(({artifact_id, path}) => line('model', path, {kind: 'model', id: artifact_id})),
		...(job.projectId === undefined
			? []
			: [
					line('project', projectName(job.projectId) ?? job.projectId, {
						kind: 'project',
						id: job.projectId,
					}),
				]),
	];
}
