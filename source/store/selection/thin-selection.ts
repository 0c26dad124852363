import type {WorkList} from '../work/work-list.ts';
import type {SelectionDesk} from './selection-desk.ts';
import {Thinner, type Thinning, thinningWords} from './thinning.ts';

/** Leaves of what is selected, or of all that match, only some of each task selected. */
export async function thinSelection(
	{
		selection,
		work,
		signal,
		...explorer
	}: {
		readonly selection: Pick<SelectionDesk, 'pages' | 'replace'>;
		readonly work: WorkList;
		readonly signal: AbortSignal;
		readonly tell: (kind: 'info' | 'error', text: string) => void;
	},
	thinning: Thinning,
): Promise<void> {
	const words = thinningWords(thinning);
	const calledOff = new AbortController();
	const report = work.begin({subject: words, loss: 'The selection stays as it is.'}, () => calledOff.abort());
	const ending = AbortSignal.any([signal, calledOff.signal]);
	const thinner = new Thinner(thinning);
	try {
		for await (const episodes of selection.pages(ending)) {
			thinner.add(episodes);
			report.tell({step: 'reading', share: undefined, amount: `${thinner.seen} episodes`});
		}
		ending.throwIfAborted();
		const kept = thinner.kept();
		selection.replace(kept);
		const tasks = thinner.tasks === 1 ? 'one task' : `${thinner.tasks} tasks`;
		explorer.tell('info', `${words}: ${kept.length} of ${thinner.seen} episodes in ${tasks} are selected.`);
	} catch (error) {
		if (!ending.aborted) explorer.tell('error', error instanceof Error ? error.message : String(error));
	} finally {
		report.end();
	}
}
