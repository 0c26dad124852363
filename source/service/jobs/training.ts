import {appendFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {stripVTControlCharacters} from 'node:util';
import type {Log} from '../host/log.ts';
import {lastCheckpoint, pruneCheckpoints, trainedModel} from './lerobot/checkpoints.ts';
import {stepsOf} from './lerobot/command-line.ts';
import {eventNow, LogReader} from './log-reader.ts';
import {pause} from './pause.ts';
import {isRehearsal, type Job, rehearsalMessage, type Standing} from './records/job.ts';
import type {JobFolder} from './records/job-folder.ts';
import type {JobStore} from './records/job-store.ts';
import {readLogWindow} from './records/log-window.ts';
import type {ModelStore} from './records/model-store.ts';
import {beginPhase, completePhases, failPhase, noteEvent} from './records/phases.ts';
import {datasetPath} from './rules/training-dataset.ts';
import {maxRetries, type Timing} from './timing.ts';
import {isQueued, type Trainer, type TrainerRun} from './trainers/trainer.ts';
import {trainerSettings} from './vla/trainer-settings.ts';

export type TrainingTools = {
	readonly trainer: Trainer;
	readonly store: JobStore;
	readonly models: ModelStore;
	readonly folder: JobFolder;
	readonly timing: Timing;
	/** Aborted when the service ends: the next one adopts the trainer. */
	readonly signal: AbortSignal;
	readonly log: Log;
};

/** Checkpoints that are kept where their frequency is the service's own choice. */
const keptCheckpoints = 2;
const usualSaveFreq = trainerSettings.save_freq?.default;

/** How much later than the service the trainer's own watch ends it, in seconds. */
const watchSlack = 5;

/** Trains a job to its end: starts its trainer, or adopts the one that runs, and starts it again when it dies. */
export async function train(jobId: string, tools: TrainingTools): Promise<void> {
	const {store, timing, signal} = tools;
	for (;;) {
		const job = store.require(jobId);
		if (!job.run && job.ending === null) await launch(job, tools);
		if (store.require(jobId).run && (await follow(jobId, tools)) === 'aborted') return;
		if ((await settleTraining(jobId, tools)) !== 'again') return;
		const wait = timing.retryMs * 2 ** Math.max(0, store.require(jobId).retries - 1);
		if ((await pause(wait, signal)) === 'aborted') return;
	}
}

/** The launch that a job's handle stands for. */
function runOf({run, launches}: Job, folder: JobFolder): TrainerRun | undefined {
	return run === null ? undefined : {folder, launch: launches, handle: run};
}

async function launch(job: Job, {store, folder, trainer}: TrainingTools): Promise<void> {
	const {jobId} = job;
	const number = job.launches + 1;
	folder.make();
	const checkpoint = (await lastCheckpoint(folder.output)) ?? null;
	// LeRobot refuses an output folder that exists.
	if (!checkpoint) await rm(folder.output, {recursive: true, force: true});
	const command = await trainer.commandFor(job, folder.output, checkpoint);
	const {size: logRead} = await readLogWindow(folder.log, 0, 0);
	const from = checkpoint ? ` from the checkpoint at step ${checkpoint.step}` : '';
	const words = command.length === 0 ? ' a rehearsal' : `${from}: ${JSON.stringify(command)}`;
	appendFileSync(folder.log, `[lakescope] ${new Date().toISOString()} begins${words}\n`, {mode: 0o600});
	try {
		await trainer.start({
			job,
			folder,
			launch: number,
			command,
			seconds: trainer.queue
				? job.order.hours * 3600
				: Math.max(1, (deadlineOf(job) - Date.now()) / 1000) + watchSlack,
			onStarted: run =>
				store.change(jobId, {
					run,
					isStarting: true,
					command,
					launches: number,
					steps: isRehearsal(job) ? null : stepsOf(job.order),
					checkpoint,
					logRead,
					progress: checkpoint && job.progress ? {...job.progress, step: checkpoint.step} : null,
					phases: beginPhase(job.phases, 'provisioning', eventNow(job)),
				}),
		});
	} finally {
		store.note(jobId, {isStarting: false});
	}
}

/** A rehearsal is over in seconds, whatever hours it was given; a trainer with a queue keeps the hours itself. */
const deadlineOf = (job: Job) =>
	job.deadlineAt === null || isRehearsal(job) || isQueued(job)
		? Number.POSITIVE_INFINITY
		: Date.parse(job.deadlineAt);

/** Watches a trainer until it has ended; ends it at its hours, or when its job is to stop. */
async function follow(jobId: string, tools: TrainingTools): Promise<'ended' | 'aborted'> {
	const {store, folder, timing, signal, trainer} = tools;
	const reader = new LogReader(store.require(jobId), {store, folder, noteMs: timing.noteMs, trainer});
	let askedAt: number | undefined;
	for (;;) {
		const run = runOf(store.require(jobId), folder);
		// Asked first: all that it printed before it ended can then be read.
		const runs = run !== undefined && (await trainer.isRunning(run));
		if (run && trainer.queue) await takeStanding(store.require(jobId), run, tools);
		if (run) await trainer.logs(run);
		await reader.readOn(!runs);
		await takeCheckpoint(store.require(jobId), tools);
		if (!runs) return 'ended';
		let job = store.require(jobId);
		if (job.ending === null && Date.now() >= deadlineOf(job)) job = store.change(jobId, {ending: 'hours'});
		if (job.ending !== null) {
			const patient = askedAt === undefined || Date.now() - askedAt < timing.endMs;
			if (askedAt === undefined || !patient) await trainer.signal(run, patient ? 'SIGTERM' : 'SIGKILL');
			askedAt ??= Date.now();
		}
		if ((await pause(timing.pollMs, signal)) === 'aborted') return 'aborted';
	}
}

const placeless = ({state, reason, node, id, restarts}: Standing) =>
	[state, reason, node, id, restarts].join(' ');

/** Takes note of where a job stands in its trainer's queue; what changes there is an event of its timeline. */
async function takeStanding(job: Job, run: TrainerRun, {store, trainer}: TrainingTools): Promise<void> {
	const found = await trainer.queue?.standing(run);
	if (!found || found.words === job.standing?.words) return;
	const {timing, ...standing} = found;
	const isNews = !job.standing || placeless(job.standing) !== placeless(standing);
	const now = Date.now();
	const begins = timing && (job.startedAt === null || job.standing?.waits !== false);
	store.change(job.jobId, {
		standing,
		...(begins && {
			startedAt: job.startedAt ?? new Date(now - timing.ran * 1000).toISOString(),
			// By the queue's own count: its clock may be another.
			deadlineAt: timing.left === null ? null : new Date(now + timing.left * 1000).toISOString(),
		}),
		...(isNews && {phases: noteEvent(job.phases, eventNow(job, standing.words))}),
	});
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

/** Exit codes that make a retry pointless: the arguments were refused, or the command cannot be run. */
const hopeless = new Set([2, 126, 127]);

/** `again` where the trainer is to be started once more, `aborted` where the service ended first. */
type Settled = 'over' | 'again' | 'aborted';

/** Settles a job whose trainer has ended, and ends what that has left behind. */
export async function settleTraining(jobId: string, tools: TrainingTools): Promise<Settled> {
	const {store, folder, log, trainer} = tools;
	if (store.require(jobId).status !== 'running') return 'over';
	const left = await trainer.endAll(folder);
	const outcome = await settle(store.require(jobId), tools);
	if (left !== undefined) {
		log(`job ${jobId}: ${left}`);
		store.change(jobId, {message: [store.require(jobId).message, left].filter(Boolean).join(' ')});
	}
	return outcome;
}

/** The exit of a job's last launch, waited for where the trainer does not know it yet. */
async function exitOf(job: Job, {folder, trainer, timing, signal}: TrainingTools) {
	const run = runOf(job, folder);
	for (;;) {
		const exit = run ? await trainer.exit(run) : ({kind: 'killed'} as const);
		if (exit.kind !== 'pending') return exit;
		if ((await pause(timing.pollMs, signal)) === 'aborted') return 'aborted';
	}
}

async function settle(job: Job, tools: TrainingTools): Promise<Settled> {
	const {store, folder} = tools;
	const {jobId} = job;
	if (job.ending === 'stop') return cancel(job, tools);
	const exit = await exitOf(job, tools);
	if (exit === 'aborted') return 'aborted';
	const code = exit.kind === 'code' ? exit.code : undefined;
	if (exit.kind === 'never') {
		store.change(jobId, {run: null});
		return 'again';
	}
	if (exit.kind === 'cancelled') return cancel(job, tools, exit.reason);
	if (exit.kind === 'lost' && exit.isHopeless) return fail(job, tools, exit.reason);
	if (code === 0) return finish(job, tools, 'The trainer ended', `Its log is ${folder.log}`);
	if (exit.kind === 'hours' || job.ending === 'hours' || Date.now() >= deadlineOf(job)) {
		return finish(
			job,
			tools,
			`The ${hoursOf(job)} that it was given are over`,
			'Give it more hours, or a smaller save_freq',
		);
	}
	if (code === undefined && job.isStarting && !tools.trainer.queue) {
		// The service died before it let the trainer begin: nothing was tried, and nothing is counted.
		store.change(jobId, {run: null});
		return 'again';
	}
	const words = exit.kind === 'lost' ? '' : await lastWords(folder.log);
	const ended = `The trainer ${code === undefined ? 'was killed' : `ended with exit code ${code}`}`;
	const how = exit.kind === 'lost' ? exit.reason : ended;
	const reason = words === '' ? how : `${how}: ${words}`;
	if (code !== undefined && hopeless.has(code)) return fail(job, tools, reason);
	if (job.retries >= maxRetries) {
		return fail(job, tools, `${reason} — the last of ${maxRetries + 1} tries`);
	}
	const retries = job.retries + 1;
	const from = job.checkpoint ? `the checkpoint at step ${job.checkpoint.step}` : 'its beginning';
	store.change(jobId, {
		run: null,
		retries,
		message: `${reason}. Begun again from ${from}, retry ${retries} of ${maxRetries}.`,
		phases: noteEvent(job.phases, eventNow({...job, retries}, `${reason}; begun again from ${from}`)),
	});
	return 'again';
}

const hoursOf = ({order: {hours}}: Job) => `${hours} ${hours === 1 ? 'hour' : 'hours'}`;

const at = ({progress}: Job) => (progress ? ` at step ${progress.step}` : ' before its first step');

function over(job: Job) {
	return {
		run: null,
		ending: null,
		standing: null,
		endedAt: new Date().toISOString(),
		checkpoint: job.checkpoint,
	};
}

function cancel(job: Job, {store}: TrainingTools, reason?: string): 'over' {
	const goOn = job.checkpoint
		? ` It can be started again from its checkpoint at step ${job.checkpoint.step}.`
		: '';
	const by = reason === undefined ? '' : ` ${reason}.`;
	const message = isRehearsal(job) ? 'The rehearsal was stopped.' : `Stopped${at(job)}.${by}${goOn}`;
	store.change(job.jobId, {
		...over(job),
		status: 'cancelled',
		message,
		phases: failPhase(job.phases, eventNow(job, reason ?? 'stopped')),
	});
	return 'over';
}

function fail(job: Job, {store}: TrainingTools, reason: string): 'over' {
	store.change(job.jobId, {
		...over(job),
		status: 'failed',
		message: `${reason}.`,
		phases: failPhase(job.phases, eventNow(job, reason)),
	});
	return 'over';
}

/**
 * Completes a job with the model that its trainer left.
 *
 * @param wayOut what to do where there is none
 */
async function finish(job: Job, tools: TrainingTools, why: string, wayOut: string): Promise<'over'> {
	const {store, models, folder} = tools;
	if (isRehearsal(job)) {
		const phases = completePhases(job.phases, eventNow(job));
		store.change(job.jobId, {...over(job), status: 'completed', message: rehearsalMessage, phases});
		return 'over';
	}
	const model = await trainedModel(folder.output);
	if (!model) {
		return fail(job, tools, `${why}, and there is no checkpoint to take a model from. ${wayOut}`);
	}
	models.put(job.jobId, job.projectId, {
		subtype: job.order.vla_type === 'sarm' ? 'reward_model' : 'vla_model',
		name: job.name,
		path: model,
		metadata: {
			name: job.name,
			vla_type: job.order.vla_type,
			base_model: job.baseModel,
			dataset_id: job.datasetId,
			dataset_path: datasetPath(job.datasetName),
			project_id: job.projectId,
			steps: job.checkpoint?.step ?? job.progress?.step ?? null,
			loss: job.progress?.loss ?? null,
		},
	});
	const saved = beginPhase(job.phases, 'saving', eventNow(job));
	store.change(job.jobId, {
		...over(job),
		status: 'completed',
		message: `${why}${job.checkpoint ? `; the model is its checkpoint at step ${job.checkpoint.step}` : ''}.`,
		phases: completePhases(saved, eventNow(job, `model ${model}`)),
	});
	return 'over';
}

const readBytes = 8192;
const longest = 400;

/** The last line that a trainer printed, for the message of a failed job. */
async function lastWords(logFile: string): Promise<string> {
	const {text} = await readLogWindow(logFile, -readBytes, readBytes);
	const lines = stripVTControlCharacters(text)
		.split(/[\r\n]+/)
		.map(line => line.replace(/\p{Cc}+/gu, ' ').trim())
		.filter(
			line => line !== '' && !line.startsWith('[lakescope]') && line !== 'Terminated' && line !== 'Killed',
		);
	return (lines.at(-1) ?? '').slice(0, longest);
}
