import {type ReactNode, useEffect} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useOpenedJob} from '../../hooks/explorer.tsx';
import {stuckFor} from '../../store/jobs/stuck.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {absentLines} from '../listing/listing-words.ts';
import {jobLines} from './job-lines.ts';
import {useJobLinks} from './use-job-links.ts';
import {useShownJobs} from './use-jobs.ts';

/** A job with its phases on an axis of time, its events and the end of its log. */
export function JobDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {selected, keys, bindings, usual, now} = useShownJobs();
	const held = useOpenedJob();
	const {id, kind} = selected ?? {};
	useEffect(() => {
		const {jobs} = explorer.jobs.known.getState();
		explorer.jobs.open(kind === undefined ? undefined : jobs.find(job => job.id === id));
		// Where the list has no room, nobody else says that this job is looked at.
		if (id !== undefined) explorer.jobs.lookAlso(id);
		return () => explorer.jobs.open(undefined);
	}, [explorer, id, kind]);
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
