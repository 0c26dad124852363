import {appendFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import type {Log} from '../process/log.ts';
import type {Job} from './job.ts';
import type {JobFolder} from './job-folder.ts';
import type {JobStore} from './job-store.ts';
import {eventNow, LogReader} from './log-reader.ts';
import type {ModelStore} from './model-store.ts';
import {pause} from './pause.ts';
import {beginPhase, noteEvent} from './phases.ts';
import {settleTraining} from './settle-training.ts';
import type {Timing} from './timing.ts';
import {lastCheckpoint, pruneCheckpoints} from './trainer/checkpoints.ts';
import {resumeArguments, startArguments, stepsOf} from './trainer/command-line.ts';
import {isRunning, launchTrainer, signalTrainer} from './trainer/trainer-process.ts';
import {trainerSettings} from './vla/trainer-settings.ts';

export type TrainingTools = {
	readonly store: JobStore;
	readonly models: ModelStore;
	readonly folder: JobFolder;
	readonly timing: Timing;
	/** The service ends: the trainer is left alone, to be adopted by the next. */
	readonly signal: AbortSignal;
	readonly log: Log;
};

/** Checkpoints that are kept where their frequency is the service's own choice. */
const keptCheckpoints = 2;
const usualSaveFreq = trainerSettings.save_freq?.default;

/** How much later than the service the trainer's own watch ends it, in seconds. */
const watchSlack = 5;

/** Trains a job to its end: begins its trainer, or adopts the one that runs, and begins it again when it dies. */
export async function train(jobId: string, tools: TrainingTools): Promise<void> {
	const {store, timing, signal} = tools;
	for (;;) {
		const job = store.require(jobId);
		if (!job.run && job.ending === null) await launch(job, tools);
		if (store.require(jobId).run && (await follow(jobId, tools)) === 'aborted') return;
		if ((await settleTraining(jobId, tools)) === 'over') return;
		const wait = timing.retryMs * 2 ** Math.max(0, store.require(jobId).retries - 1);
		if ((await pause(wait, signal)) === 'aborted') return;
	}
}

async function launch(job: Job, {store, folder}: TrainingTools): Promise<void> {
	const {jobId, trainer, launches} = job;
	folder.make();
	const checkpoint = (await lastCheckpoint(folder.output)) ?? null;
	// LeRobot begins nothing in a folder that is there.
	if (!checkpoint) await rm(folder.output, {recursive: true, force: true});
	const args = checkpoint
		? resumeArguments(job, folder.output, checkpoint)
		: startArguments(job, folder.output);
	const command = [...(trainer ?? []), ...args];
	const logRead = folder.logSize();
	const from = checkpoint ? ` from the checkpoint at step ${checkpoint.step}` : '';
	const words = JSON.stringify(command);
	appendFileSync(folder.log, `[lakescope] ${new Date().toISOString()} begins${from}: ${words}\n`, {
		mode: 0o600,
	});
	await launchTrainer({
		jobId,
		command,
		folder: folder.folder,
		logFile: folder.log,
		exitFile: folder.exitFile(launches + 1),
		seconds: Math.max(1, (deadlineOf(job) - Date.now()) / 1000) + watchSlack,
		onStarted: run =>
			store.change(jobId, {
				run,
				command,
				launches: launches + 1,
				steps: stepsOf(job.order),
				checkpoint,
				logRead,
				progress: checkpoint && job.progress ? {...job.progress, step: checkpoint.step} : null,
				phases: beginPhase(job.phases, 'provisioning', eventNow(job)),
			}),
	});
}

const deadlineOf = ({deadlineAt}: Job) =>
	deadlineAt === null ? Number.POSITIVE_INFINITY : Date.parse(deadlineAt);

/** Watches a trainer until it has ended, and ends it when it is to be. */
async function follow(jobId: string, tools: TrainingTools): Promise<'ended' | 'aborted'> {
	const {store, folder, timing, signal} = tools;
	const reader = new LogReader(store.require(jobId), {store, folder, noteMs: timing.noteMs});
	let askedAt: number | undefined;
	for (;;) {
		const {run} = store.require(jobId);
		// Asked first: what it printed before it ended is then there to be read.
		const runs = run !== null && (await isRunning(run));
		await reader.readOn(!runs);
		await takeCheckpoint(store.require(jobId), tools);
		if (!runs) return 'ended';
		let job = store.require(jobId);
		if (job.ending === null && Date.now() >= deadlineOf(job)) job = store.change(jobId, {ending: 'hours'});
		if (job.ending !== null) {
			const patient = askedAt === undefined || Date.now() - askedAt < timing.endMs;
			if (askedAt === undefined || !patient) await signalTrainer(run, jobId, patient ? 'SIGTERM' : 'SIGKILL');
			askedAt ??= Date.now();
		}
		if ((await pause(timing.pollMs, signal)) === 'aborted') return 'aborted';
	}
}

/** When the training began that the next checkpoint is of. */
function trainingSince({checkpointAt, startedAt, phases}: Job): number {
	const begun = phases.find(({name}) => name === 'training')?.events.at(-1)?.timestamp;
	return Math.max(...[checkpointAt, startedAt, begun].map(at => (at == null ? 0 : Date.parse(at))));
}

/**
 * Takes note of a new checkpoint. Where the time that it took does not come again before the hours are over, what
 * would follow it would be lost: the trainer is ended there.
 */
async function takeCheckpoint(job: Job, {store, models, folder, log}: TrainingTools): Promise<void> {
	const checkpoint = await lastCheckpoint(folder.output);
	if (!checkpoint || checkpoint.step === job.checkpoint?.step) return;
	const now = Date.now();
	const wouldBeLast = now + (now - trainingSince(job)) > deadlineOf(job);
	const isUnfinished = job.steps === null || checkpoint.step < job.steps;
	store.change(job.jobId, {
		checkpoint,
		checkpointAt: new Date(now).toISOString(),
		phases: noteEvent(job.phases, eventNow(job, `checkpoint at step ${checkpoint.step}`), 'training'),
		...(job.ending === null && wouldBeLast && isUnfinished && {ending: 'hours' as const}),
	});
	const {save_freq = usualSaveFreq} = job.order.vla_hyper_spec ?? {};
	if (save_freq !== usualSaveFreq) return;
	const spared = models.ofJob(job.jobId)?.path;
	await pruneCheckpoints(folder.output, checkpoint, keptCheckpoints, spared).catch(error =>
		log(`cannot remove old checkpoints of job ${job.jobId}: ${error}`),
	);
}
