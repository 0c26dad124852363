import {type ReactNode, useEffect, useMemo} from 'react';
import {type Screen, useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState, useLocal, useOpenedJob} from '../../hooks/explorer.tsx';
import {useWays, type Ways} from '../../hooks/links.ts';
import {useLaunch, useListing} from '../../hooks/listing.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {stuckFor} from '../../store/jobs/job-faults.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import {isId, type Link} from '../../store/queries/link.ts';
import type {Launch} from '../../store/state/remembered-state.ts';
import {counted} from '../../terminal/quantity.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {absentLines, linkTarget, targetLine} from '../list/listing-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {OpenedPane} from '../list/opened-pane.tsx';
import {jobLines} from './job-lines.ts';
import {useShownJobs} from './jobs-bindings.ts';

/** A job with its phases on an axis of time, its events and the end of its log. */
export function JobDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {selected, keys, bindings, usual, now} = useShownJobs();
	const held = useOpenedJob();
	const {id, kind} = selected ?? {};
	// A job can be opened before the service has said that it is the embedded one.
	const isLocal = useLocal(({document}) => document !== undefined);
	useEffect(() => {
		const {jobs} = explorer.jobs.known.getState();
		explorer.jobs.open(isLocal && kind !== undefined ? jobs.find(job => job.id === id) : undefined);
		// Where the list has no room, only this pane asks for the job's status.
		if (id !== undefined) explorer.jobs.lookAlso(id);
		return () => explorer.jobs.open(undefined);
	}, [explorer, id, kind, isLocal]);
	const width = look.beside ? look.width - 1 : look.width;
	const opened = held?.id === id ? held : undefined;
	const links = useJobLinks(selected, opened);
	const lines =
		selected === undefined
			? absentLines(undefined)
			: jobLines(selected, {width, screen, now, usual, opened, links, stuck: stuckFor(selected, usual, now)});
	return (
		<OpenedPane
			{...look}
			list="jobs"
			title={selected?.name ?? selected?.id ?? ''}
			noun="Job"
			keys={keys}
			lines={lines}
			bindings={bindings}
		/>
	);
}

const none: readonly OpenedLine[] = [];

/** The links of an opened job: its inputs, its project, its outputs. */
function useJobLinks(job: JobEntry | undefined, opened: OpenedJob | undefined): readonly OpenedLine[] {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const ways = useWays();
	const models = useListing(catalog.models).known;
	const projects = useListing(catalog.projects).known;
	const launch = useLaunch(job?.id);
	const isOpened = useExplorerState(({lists}) => lists.jobs.opened);
	const makesModels = job?.kind === 'fine-tune' && job.status === 'completed';
	const hasProject = job?.projectId !== undefined;
	// A job that is only passed in the list requests neither.
	useEffect(() => {
		if (isOpened && makesModels) catalog.models.lookOnce();
	}, [catalog, isOpened, makesModels]);
	useEffect(() => {
		if (isOpened && hasProject) catalog.projects.lookOnce();
	}, [catalog, isOpened, hasProject]);
	return useMemo(() => {
		if (job === undefined) return none;
		const made = models.names.flatMap((_, row) => {
			const model = models.item(row);
			const isIt = model?.jobs?.some(link => link.job_id === job.id && link.direction === 'output');
			return model !== undefined && isIt ? [model] : [];
		});
		const projectName = (id: string) => projects.names.find(({key}) => key === id)?.label;
		return jobLinkLines(job, {screen, ways, opened, models: made, projectName, launch});
	}, [job, opened, models, projects, launch, screen, ways]);
}

type JobLinksOptions = {
	readonly screen: Screen;
	readonly ways: Ways;
	readonly opened: OpenedJob | undefined;
	/** Models that are known to be made by it. */
	readonly models: readonly {readonly artifact_id: string; readonly path: string}[];
	readonly projectName: (id: string) => string | undefined;
	/** Its launch as remembered, where it was launched from here. */
	readonly launch: Pick<Launch, 'filter' | 'picked'> | undefined;
};

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const id = (value: unknown) => (typeof value === 'string' && isId(value) ? value : undefined);

/** The links of a job, a line each: its episodes, its datasets, its project, its model. */
function jobLinkLines(job: JobEntry, options: JobLinksOptions): readonly OpenedLine[] {
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
						{label: 'sources', text: `${counted(picked.episodes, 'episode')}, picked one by one`},
						{id: 'picked', description: 'go to them', enter: () => ways.toParents(picked.datasetId)},
						{screen},
					),
				]),
		...(filter === undefined
			? []
			: [
					targetLine(
						{label: 'episodes', text: filter === '' ? 'whole lake' : filter},
						{id: 'episodes', description: 'to its episodes', enter: () => ways.toFilter(filter)},
						{screen},
					),
				]),
		...(dataset === undefined
			? []
			: [line('dataset', text(fields.dataset_path) ?? dataset, {kind: 'dataset', id: dataset})]),
		targetLine(
			{label: 'datasets', text: 'inputs and outputs'},
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
