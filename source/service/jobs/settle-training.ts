import type {Job} from './job.ts';
import {lastWords} from './last-words.ts';
import {eventNow} from './log-reader.ts';
import {beginPhase, completePhases, failPhase, noteEvent} from './phases.ts';
import {datasetPath} from './rules/training-dataset.ts';
import {maxRetries} from './timing.ts';
import {trainedModel} from './trainer/checkpoints.ts';
import {endProcessesOf, exitCodeOf} from './trainer/trainer-process.ts';
import type {TrainingTools} from './training.ts';

/** Exit codes after which another try would end the same: a command line refused, or a command that cannot be run. */
const hopeless = new Set([2, 126, 127]);

/**
 * Settles a job whose trainer has ended, and ends what that has left behind.
 *
 * @returns `again` where the trainer is to be begun once more
 */
export async function settleTraining(jobId: string, tools: TrainingTools): Promise<'over' | 'again'> {
	const {store, log} = tools;
	if (store.require(jobId).status !== 'running') return 'over';
	const left = await endProcessesOf(jobId);
	const outcome = await settle(store.require(jobId), tools);
	if (left.length > 0) {
		const sentence = stillThere(left);
		log(`job ${jobId}: ${sentence}`);
		store.change(jobId, {message: [store.require(jobId).message, sentence].filter(Boolean).join(' ')});
	}
	return outcome;
}

function stillThere(left: readonly number[]): string {
	const which = left.length === 1 ? `Process ${left[0]}` : `Processes ${left.join(', ')}`;
	return `${which} of it did not end when killed, and may hold the GPU. Look with: ps -o pid,stat,wchan,cmd -p ${left.join(',')}`;
}

async function settle(job: Job, tools: TrainingTools): Promise<'over' | 'again'> {
	const {store, folder} = tools;
	const {jobId} = job;
	if (job.ending === 'stop') return cancel(job, tools);
	const code = await exitCodeOf(folder.exitFile(job.launches));
	if (code === 0) return finish(job, tools, 'The trainer ended', `Its log is ${folder.log}`);
	const isOverdue = job.deadlineAt !== null && Date.now() >= Date.parse(job.deadlineAt);
	if (job.ending === 'hours' || isOverdue) {
		return finish(
			job,
			tools,
			`The ${hoursOf(job)} that it was given are over`,
			'Give it more hours, or a smaller save_freq',
		);
	}
	const words = await lastWords(folder.log);
	const how = `The trainer ${code === undefined ? 'was killed' : `ended with exit code ${code}`}`;
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
		phases: noteEvent(job.phases, eventNow({retries}, `${reason}; begun again from ${from}`)),
	});
	return 'again';
}

const hoursOf = ({order: {hours}}: Job) => `${hours} ${hours === 1 ? 'hour' : 'hours'}`;

const at = ({progress}: Job) => (progress ? ` at step ${progress.step}` : ' before its first step');

function over(job: Job) {
	return {run: null, ending: null, endedAt: new Date().toISOString(), checkpoint: job.checkpoint};
}

function cancel(job: Job, {store}: TrainingTools): 'over' {
	const goOn = job.checkpoint
		? ` It can be started again from its checkpoint at step ${job.checkpoint.step}.`
		: '';
	const message = `Stopped${at(job)}.${goOn}`;
	store.change(job.jobId, {
		...over(job),
		status: 'cancelled',
		message,
		phases: failPhase(job.phases, eventNow(job, 'stopped')),
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
 * The trainer has done what it could: what it left is the job's model.
 *
 * @param wayOut what to do where it left none
 */
async function finish(job: Job, tools: TrainingTools, why: string, wayOut: string): Promise<'over'> {
	const {store, models, folder} = tools;
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
