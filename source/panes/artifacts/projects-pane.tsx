import {type ReactNode, useEffect, useMemo} from 'react';
import {keySentence, useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {ProjectItem} from '../../contract/listing.ts';
import {ownSorts} from '../../contract/own-lists.ts';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useJobs, useLocal} from '../../hooks/explorer.tsx';
import {useWays, type Ways} from '../../hooks/links.ts';
import {rowsAround, useListing, useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import {projectId, projectName} from '../../store/artifacts/projects.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {printLink} from '../../store/queries/link.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {age} from '../../terminal/quantity.ts';
import {statusLook} from '../jobs/job-words.ts';
import {copyBinding} from '../list/copy-binding.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {
	absentLines,
	furtherFields,
	linkTarget,
	listingAside,
	listingEmpty,
	targetLine,
	termBindings,
} from '../list/listing-lines.ts';
import {fieldLines, headingLine, type OpenedLine} from '../list/opened-line.ts';
import {OpenedPane} from '../list/opened-pane.tsx';

/** The projects of the account. */
export function ProjectsPane(look: ListLook): ReactNode {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const {search, terms} = useExplorerState(({lists}) => lists.projects);
	const {known, keys, item, rowOf, bindings} = useShownProjects();
	const keyOf = useKeyOf(bindings);
	useShownRows(catalog.projects, {keys, rowOf}, Math.max(1, look.height - 1));
	return (
		<ListPane
			{...look}
			list="projects"
			title="Projects"
			noun="project"
			keys={keys}
			rowOf={(row, width) => {
				const project = item(row);
				if (project === undefined) return [{text: screen.signs.ellipsis, role: 'dim'}];
				return projectRow(project, {width, screen, now});
			}}
			empty={listingEmpty(known, {
				noun: 'project',
				keyOf,
				isNarrowed: search !== '',
				hint: `Every fine-tune belongs to a project. ${keySentence(keyOf, [['projects.create', 'creates one']])}`,
			})}
			bindings={bindings}
			freshness={known.freshness}
			aside={listingAside(known, {asked: terms.sort === undefined ? [] : [`sorted: ${terms.sort}`], keyOf})}
		/>
	);
}

/** The statuses of so many of a project's jobs are read. */
const mostLooked = 40;

/** A project with its jobs. */
export function ProjectDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const ways = useWays();
	const {jobs, freshness} = useJobs();
	const {selected, keys, rowOf, bindings, sought} = useShownProjects();
	useShownRows(explorer.catalog.projects, {keys, rowOf}, rowsAround);
	const id = selected && projectId(selected);
	// The jobs are read although their own view does not show.
	useEffect(() => {
		explorer.jobs.show(true);
		return () => explorer.jobs.show(explorer.state.getState().view === 'jobs');
	}, [explorer]);
	const own = useMemo(
		() => jobs.filter(({projectId: project}) => project !== undefined && project === id),
		[jobs, id],
	);
	const looked = own
		.slice(0, mostLooked)
		.map(job => job.id)
		.join(' ');
	useEffect(() => {
		// A list without statuses leaves them to be read job by job.
		explorer.jobs.look(looked === '' ? [] : looked.split(' '));
	}, [explorer, looked]);
	const width = look.beside ? look.width - 1 : look.width;
	const lines = useMemo(() => {
		if (selected === undefined) return absentLines(sought);
		const isReading = freshness.state === 'loading';
		return projectLines(selected, {width, screen, ways, jobs: own, isReading});
	}, [selected, sought, own, freshness.state, width, screen, ways]);
	return (
		<OpenedPane
			{...look}
			list="projects"
			title={(selected && projectName(selected)) ?? id ?? ''}
			noun="Project"
			keys={keys}
			lines={lines}
			bindings={bindings}
		/>
	);
}

type ProjectLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly ways: Ways;
	/** The known jobs of the project. */
	readonly jobs: readonly JobEntry[];
	readonly isReading: boolean;
};

/** A project in full: its fields, its jobs, and a link to their datasets. */
function projectLines(item: ProjectItem, options: ProjectLinesOptions): readonly OpenedLine[] {
	const {width, screen, ways, jobs, isReading} = options;
	const id = projectId(item);
	const datasets =
		id === undefined
			? []
			: [
					targetLine(
						{label: 'datasets', text: 'its jobs'},
						{
							id: 'datasets',
							description: 'to its datasets',
							enter: () => ways.toList('datasets', {project_id: id}),
						},
						{screen},
					),
				];
	const none = isReading ? 'Loading jobs.' : 'No known jobs.';
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

const jobsWidth = 9;
const ageWidth = 5;

/** A project in a line: name, description, number of jobs, and time since the last change, as far as known. */
function projectRow(
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

const category = 'Projects';

/** The projects that show, the selected one, and its keys. */
function useShownProjects() {
	const explorer = useExplorer();
	const copy = useCopy();
	const isOwn = useLocal(({document}) => document !== undefined);
	const listing = useListing(explorer.catalog.projects);
	const {selected} = listing;
	const bindings = useMemo<readonly Binding[]>(() => {
		const id = selected && projectId(selected);
		return [
			{
				keys: ['a'],
				action: 'projects.create',
				description: 'new project',
				category,
				footer: 20,
				run() {
					if (explorer.mayChange()) explorer.update(overlaid('project'));
				},
			},
			copyBinding('projects', category, () => {
				if (id !== undefined) copy(printLink({kind: 'project', id}), 'the project link');
			}),
			...termBindings(explorer, {
				list: 'projects',
				category,
				// The interface document names no sort parameters.
				terms: isOwn
					? [{key: 's', term: 'sort', description: 'sort', values: [undefined, ...ownSorts.slice(1)]}]
					: [],
			}),
		];
	}, [explorer, copy, isOwn, selected]);
	return {...listing, bindings};
}
