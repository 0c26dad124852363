import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useJobs} from '../../hooks/explorer.tsx';
import {useNow} from '../../hooks/now.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {hasFault} from '../../store/jobs/job-faults.ts';
import {usualTimes} from '../../store/jobs/stuck.ts';
import {rowOfPlace} from '../../store/list-place.ts';
import {jobBindings} from './job-bindings.ts';

function holds(job: JobEntry, wanted: string): boolean {
	const {id, name, status, phase, projectId, kind, fields, launch} = job;
	const told = [fields.dataset_path, fields.vla_type, fields.message, launch?.dataset, launch?.filter];
	const texts = [id, name, status, phase, projectId, kind, ...told];
	return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted));
}

/** The jobs that show, the selected one, and what can be done with it. */
export function useShownJobs() {
	const explorer = useExplorer();
	const copy = useCopy();
	const known = useJobs();
	const place = useExplorerState(({lists}) => lists.jobs);
	const wanted = place.search.toLowerCase();
	const faultsOnly = useExplorerState(({jobsFaultsOnly}) => jobsFaultsOnly);
	const now = useNow();
	const usual = useMemo(() => usualTimes(known.jobs), [known.jobs]);
	const jobs = useMemo(
		() =>
			known.jobs.filter(
				job => (wanted === '' || holds(job, wanted)) && (!faultsOnly || hasFault(job, usual, now)),
			),
		[known.jobs, wanted, faultsOnly, usual, now],
	);
	const keys = useMemo(() => jobs.map(({id}) => id), [jobs]);
	const selected = jobs[rowOfPlace(place, keys)];
	const {canStop} = known;
	const bindings = useMemo(
		() => jobBindings(explorer, {selected, canStop, copy}),
		[explorer, selected, canStop, copy],
	);
	return {known, jobs, keys, selected, bindings, usual, now, place, faultsOnly, isSearched: wanted !== ''};
}
