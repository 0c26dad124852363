import {useEffect, useMemo} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {useLaunch, useListing} from '../../hooks/listing.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {jobLinkLines} from './job-links.ts';

const none: readonly OpenedLine[] = [];

/** Where an opened job leads to: what it was made from, what it belongs to, what it made. */
export function useJobLinks(job: JobEntry | undefined, opened: OpenedJob | undefined): readonly OpenedLine[] {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const ways = useWays();
	const models = useListing(catalog.models).known;
	const projects = useListing(catalog.projects).known;
	const launch = useLaunch(job?.id);
	const isOpened = useExplorerState(({lists}) => lists.jobs.opened);
	const makesModels = job?.kind === 'fine-tune' && job.status === 'completed';
	const hasProject = job?.projectId !== undefined;
	// Who only goes past it in the list asks for neither.
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
