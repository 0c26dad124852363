import {type ReactNode, useLayoutEffect} from 'react';
import {type KeyOf, keySentence, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {stuckFor} from '../../store/jobs/job-faults.ts';
import type {JobsKnown} from '../../store/jobs/jobs-feed.ts';
import {positionOf, shownRows} from '../../store/state/list-location.ts';
import {counted} from '../../terminal/quantity.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {jobRow} from './job-row.ts';
import {useShownJobs} from './jobs-bindings.ts';

function emptyWords(
	{freshness, jobs}: JobsKnown,
	{isSearched, faultsOnly, keyOf}: {isSearched: boolean; faultsOnly: boolean; keyOf: KeyOf},
): readonly (readonly Segment[])[] {
	if (jobs.length > 0 && faultsOnly) {
		const among = isSearched ? 'job that contains this text' : `of ${counted(jobs.length, 'job')}`;
		const way = keySentence(keyOf, [['jobs.faults', 'lists all of them']]);
		return [[{text: `No faults in any ${among}.`, role: 'strong'}], [way]];
	}
	if (isSearched) return [[{text: 'No job contains this text.', role: 'strong'}]];
	if ('reason' in freshness) return [[{text: freshness.reason, role: 'bad'}]];
	if (freshness.state === 'loading') return [[{text: 'Loading jobs.', role: 'dim'}]];
	return [
		[{text: 'No jobs.', role: 'strong'}],
		[keySentence(keyOf, [['jobs.follow', 'follows an augmentation or other job by its id']])],
	];
}

/** Every job that is known, what runs above what has ended. */
export function JobsPane(look: ListLook): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {known, jobs, keys, bindings, usual, now, place, faultsOnly, isSearched} = useShownJobs();
	const keyOf = useKeyOf(bindings);
	const rows = Math.max(0, look.height - 1);
	const {from, to} = shownRows(positionOf(place, keys, rows), {count: keys.length, height: rows});
	const shown = keys.slice(from, to).join(' ');
	useLayoutEffect(() => {
		explorer.jobs.look(shown === '' ? [] : shown.split(' '));
	}, [explorer, shown]);
	const aside = [
		faultsOnly ? 'faults only' : '',
		known.hasMore ? 'the service has more' : '',
		known.leftOut > 0 ? `${counted(known.leftOut, 'job')} unreadable` : '',
	];
	return (
		<ListPane
			{...look}
			list="jobs"
			title="Jobs"
			noun="job"
			keys={keys}
			rowOf={(row, width) => {
				const job = jobs[row];
				return job === undefined ? [] : jobRow(job, {width, screen, now, stuck: stuckFor(job, usual, now)});
			}}
			empty={emptyWords(known, {isSearched, faultsOnly, keyOf})}
			bindings={bindings}
			freshness={known.freshness}
			aside={aside.filter(Boolean).join(', ')}
		/>
	);
}
