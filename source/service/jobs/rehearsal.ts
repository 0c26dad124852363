import {appendFileSync} from 'node:fs';
import type {JobFolder} from './job-folder.ts';
import {pause} from './pause.ts';
import type {Job} from './records/job.ts';
import type {JobStore} from './records/job-store.ts';
import {beginPhase, completePhases, phaseName, trainingPhases} from './records/phases.ts';
import type {Timing} from './timing.ts';

const note = 'rehearsal';

/** What a rehearsal is told to be wherever a sentence can be. */
export const rehearsalMessage =
	'This is a rehearsal: it walks through the phases of a training, trains nothing and yields no model.';

const event = () => ({timestamp: new Date().toISOString(), note});

/**
 * Walks a job through its phases, as there is no trainer. It goes on where an earlier service left it, and stops
 * between two phases when it was cancelled meanwhile.
 */
export async function rehearse(
	jobId: string,
	{store, folder, timing, signal}: {store: JobStore; folder: JobFolder; timing: Timing; signal: AbortSignal},
): Promise<void> {
	folder.make();
	const isLive = (job: Job) => job.status === 'running' && !signal.aborted;
	for (const phase of trainingPhases) {
		const job = store.require(jobId);
		if (!isLive(job)) return;
		const begun = job.phases.find(({name}) => name === phaseName(phase, true));
		if (begun?.status === 'completed') continue;
		if (begun?.status === 'pending') {
			appendFileSync(folder.log, `[lakescope] rehearsal: ${phase}\n`, {mode: 0o600});
			store.change(jobId, {phases: beginPhase(job.phases, phase, event())});
		}
		if ((await pause(timing.rehearsalMs, signal)) === 'aborted') return;
	}
	const job = store.require(jobId);
	if (!isLive(job)) return;
	const at = event();
	store.change(jobId, {
		status: 'completed',
		phases: completePhases(job.phases, at),
		endedAt: at.timestamp,
		message: rehearsalMessage,
	});
}
