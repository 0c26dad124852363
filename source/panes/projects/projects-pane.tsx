import {type ReactNode, useEffect, useMemo} from 'react';
import {keySentence, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState, useJobs} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {rowsAround, useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import {projectId, projectName} from '../../store/projects/project-item.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {absentLines, listingAside, listingEmpty} from '../listing/listing-words.ts';
import {projectLines} from './project-lines.ts';
import {projectRow} from './project-row.ts';
import {useShownProjects} from './use-projects.ts';

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

/** A project with its jobs. */
export function ProjectDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const ways = useWays();
	const {jobs, freshness} = useJobs();
	const {selected, keys, rowOf, bindings, sought} = useShownProjects();
	useShownRows(explorer.catalog.projects, {keys, rowOf}, rowsAround);
	const id = selected && projectId(selected);
	// The jobs are read for it too, though their own view does not show.
	useEffect(() => {
		explorer.jobs.show(true);
		return () => explorer.jobs.show(explorer.state.getState().view === 'jobs');
	}, [explorer]);
	const width = look.beside ? look.width - 1 : look.width;
	const lines = useMemo(() => {
		if (selected === undefined) return absentLines(sought);
		const own = jobs.filter(({projectId: project}) => project !== undefined && project === id);
		return projectLines(selected, {
			width,
			screen,
			ways,
			jobs: own,
			isReading: freshness.state === 'loading',
		});
	}, [selected, sought, id, jobs, freshness.state, width, screen, ways]);
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
