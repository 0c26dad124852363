import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useJobs} from '../../hooks/explorer.tsx';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {usualTimes} from '../../store/jobs/stuck.ts';
import {rowOfPlace} from '../../store/list-place.ts';
import {jobBindings} from './job-bindings.ts';

function holds({id, name, status, phase, projectId, kind, fields}: JobEntry, wanted: string): boolean {
	const texts = [id, name, status, phase, projectId, kind, fields.dataset_path, fields.vla_type];
	return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted));
}

/** The jobs that show, the selected one, and what can be done with it. */
export function useShownJobs() {
	const explorer = useExplorer();
	const copy = useCopy();
	const known = useJobs();
	const place = useExplorerState(({lists}) => lists.jobs);
	const wanted = place.search.toLowerCase();
	const jobs = useMemo(
		() => (wanted === '' ? known.jobs : known.jobs.filter(job => holds(job, wanted))),
		[known.jobs, wanted],
	);
	const keys = useMemo(() => jobs.map(({id}) => id), [jobs]);
	const usual = useMemo(() => usualTimes(known.jobs), [known.jobs]);
	const selected = jobs[rowOfPlace(place, keys)];
	const {canStop} = known;
	const bindings = useMemo(
		() => jobBindings(explorer, {selected, canStop, copy}),
		[explorer, selected, canStop, copy],
	);
	return {known, jobs, keys, selected, bindings, usual, place, isSearched: wanted !== ''};
}
