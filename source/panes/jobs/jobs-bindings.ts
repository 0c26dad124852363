import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useJobs} from '../../hooks/explorer.tsx';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {hasEnded, type JobEntry} from '../../store/jobs/job-entry.ts';
import {hasFault, jobsNarrowed, usualTimes} from '../../store/jobs/job-faults.ts';
import {printLink} from '../../store/queries/link.ts';
import {rowOfLocation} from '../../store/state/list-location.ts';
import {edited} from '../../store/state/transitions.ts';
import type {Confirmation} from '../../store/state/user-state.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {copyBinding} from '../list/copy-binding.ts';

function holds(job: JobEntry, wanted: string): boolean {
	const {id, name, status, phase, projectId, kind, fields, launch} = job;
	const told = [fields.dataset_path, fields.vla_type, fields.message, launch?.dataset, launch?.filter];
	const texts = [id, name, status, phase, projectId, kind, ...told];
	return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted));
}

/** The jobs that show, the selected one, and its keys. */
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
	const selected = jobs[rowOfLocation(place, keys)];
	const {canStop} = known;
	const bindings = useMemo(
		() => jobBindings(explorer, {selected, canStop, copy}),
		[explorer, selected, canStop, copy],
	);
	return {known, jobs, keys, selected, bindings, usual, now, place, faultsOnly, isSearched: wanted !== ''};
}

const category = 'Jobs';

/** The question before a job is stopped, with what is lost by it. */
function stopQuestion(job: JobEntry, agree: () => void): Confirmation {
	const name = job.name ?? job.id;
	const {checkpoint, step, credits} = job.fields;
	if (job.kind === 'augmentation') {
		const reserved = (credits as {reserved?: unknown} | undefined)?.reserved;
		return {
			title: 'Cancel the augmentation?',
			lines: [
				name,
				'Its output so far is deleted; no dataset results.',
				`Reserved credits${typeof reserved === 'number' ? ` (of ${reserved})` : ''} that are unused are returned.`,
			],
			yes: 'cancel the job',
			agree,
		};
	}
	const saved = (checkpoint as {step?: unknown} | null | undefined)?.step;
	const lost =
		typeof saved === 'number'
			? `The checkpoint of step ${saved} stays; ${typeof step === 'number' ? `the ${Math.max(0, step - saved)} steps since then are` : 'training since then is'} lost.`
			: 'Complete checkpoints stay; training since the last one is lost. Without a checkpoint, all of it is lost.';
	return {
		title: 'Stop the job?',
		lines: [name, lost, 'It can be restarted later from its last checkpoint.'],
		yes: 'stop',
		agree,
	};
}

/** Asks before a job is stopped; reads the service's own fields of the job first, where it has any. */
function askToStop(explorer: Explorer, job: JobEntry): void {
	const {jobs} = explorer;
	const ask = (known: JobEntry) =>
		explorer.update(asked(stopQuestion(known, () => void jobs.actions.stop(known))));
	if (job.kind === 'augmentation') ask(job);
	else void jobs.actions.withLocalFields(job).then(ask);
}

/** The keys for a job, besides opening it. */
function jobBindings(
	explorer: Explorer,
	{
		selected,
		canStop,
		copy,
	}: {
		selected: JobEntry | undefined;
		canStop: boolean;
		copy: (text: string, what: string) => void;
	},
): readonly Binding[] {
	const {jobs} = explorer;
	// An id that was neither listed nor read may belong to no job.
	const isThere = selected?.kind !== undefined;
	const isStoppable = isThere && !hasEnded(selected) && (canStop || selected.kind === 'augmentation');
	return [
		{
			keys: ['x'],
			action: 'jobs.stop',
			description: selected?.kind === 'augmentation' ? 'cancel' : 'stop',
			category,
			footer: 20,
			when: () => isStoppable,
			run() {
				if (selected === undefined || !explorer.mayChange()) return;
				askToStop(explorer, selected);
			},
		},
		{
			keys: ['S'],
			action: 'jobs.restart',
			description: 'restart',
			category,
			footer: 21,
			when: () => canStop && selected?.kind === 'fine-tune' && hasEnded(selected),
			run() {
				if (selected === undefined || !explorer.mayChange()) return;
				const question: Confirmation = {
					title: 'Restart the job?',
					lines: [
						selected.name ?? selected.id,
						'It resumes from its last checkpoint and uses this machine until it ends.',
					],
					yes: 'restart',
					agree: () => void jobs.actions.restart(selected),
				};
				explorer.update(asked(question));
			},
		},
		{
			keys: ['l'],
			action: 'jobs.launch-like',
			description: 'launch a similar job',
			category,
			footer: 22,
			when: () => selected?.kind === 'fine-tune',
			run() {
				if (selected === undefined) return;
				void jobs.actions.withLocalFields(selected).then(job => explorer.finetune.openLike(job));
			},
		},
		{
			keys: ['F'],
			action: 'jobs.faults',
			description: 'faults only, all',
			category,
			footer: 24,
			run() {
				explorer.update(jobsNarrowed(!explorer.state.getState().jobsFaultsOnly));
			},
		},
		copyBinding('jobs', category, () => {
			if (selected !== undefined) copy(printLink({kind: 'job', id: selected.id}), 'the job link');
		}),
		{
			keys: ['f'],
			action: 'jobs.follow',
			description: 'follow a job',
			category,
			footer: 25,
			run: () => explorer.update(edited({list: 'jobs', what: 'follow'})),
		},
	];
}
