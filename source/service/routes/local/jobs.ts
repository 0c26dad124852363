import path from 'node:path';
import * as z from 'zod';
import {
	type JobLog,
	type JobSeries,
	jobLogQuery,
	jobSeriesQuery,
	type LocalJob,
	type LocalTrainer,
	localJobEndpoints,
} from '../../../contract/local-jobs.ts';
import {uuid} from '../../../contract/scalars.ts';
import type {Log} from '../../host/log.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {type Route, route} from '../../http/route.ts';
import {localJobOf} from '../../jobs/job-views.ts';
import type {Jobs} from '../../jobs/jobs.ts';
import {Machine} from '../../jobs/machine.ts';
import {isOver, type Job} from '../../jobs/records/job.ts';
import {JobFolder} from '../../jobs/records/job-folder.ts';
import {readSeries} from '../../jobs/records/job-series.ts';
import {readLogWindow} from '../../jobs/records/log-window.ts';
import {nameOf, type Trainer} from '../../jobs/trainers/trainer.ts';

async function trainerNow(trainer: Trainer): Promise<LocalTrainer> {
	const finding = await trainer.find();
	const command = finding.kind === 'found' ? [...finding.command] : null;
	return {command, message: finding.message};
}

/** The folders of a path that mean the same wherever a process works. */
const foldersOf = (list: string | undefined) =>
	(list ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder));

/**
 * `POST /local/v1/trainer/environment`: looks for the trainer where the caller's shell would, and behind that where the
 * service looked when it started. What it names is run as this process's user, so that it is for the people of this
 * machine alone (`fromHere`), and a service that a person started to stay keeps the environment that they gave it: its key
 * may be others' too.
 */
export function trainerEnvironmentRoute({
	isKept,
	log,
	trainer,
}: {
	readonly isKept: boolean;
	readonly log: Log;
	readonly trainer: Trainer;
}): Route {
	const atStart = foldersOf(process.env.PATH);
	return route(localJobEndpoints.trainerEnvironment, async ({body}) => {
		if (isKept) {
			throw new HttpProblem(
				409,
				'it was started with "lakescope serve" and looks for its trainer where that was started',
			);
		}
		const folders = [...new Set([...foldersOf(body.PATH), ...atStart])].join(path.delimiter);
		if (process.env.PATH !== folders) log(`the trainer is looked for on another PATH: ${folders}`);
		process.env.PATH = folders;
		for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX'] as const) {
			const folder = body[name];
			if (folder && path.isAbsolute(folder)) process.env[name] = folder;
			else delete process.env[name];
		}
		return trainerNow(trainer);
	});
}

const parameters = z.strictObject({job_id: uuid});

/** `/local/v1/jobs/{job_id}` and below, `/local/v1/machine` and `/local/v1/trainer`: jobs, and what they run on. */
export function localJobRoutes({
	lakeFolder,
	store,
	models,
	finetunes,
	runner,
	trainers,
}: Jobs): readonly Route[] {
	const machine = new Machine(lakeFolder);
	const job = '/local/v1/jobs/{job_id}';
	const find = (jobId: string): Job => {
		const job = store.get(jobId);
		if (job) return job;
		throw new HttpProblem(404, `There is no job ${jobId} in this lake.`);
	};
	const view = async (job: Job): Promise<LocalJob> => {
		const folder = new JobFolder(lakeFolder, job);
		const {size} = await readLogWindow(folder.log, 0, 0);
		// The trainer of an earlier configuration is no reason not to show a job.
		const trainer = job.run && (await trainers.of(job).catch(() => undefined));
		const pid = (job.run && trainer?.processOf(job.run)) ?? null;
		return localJobOf(job, {path: folder.log, size}, models.ofJob(job.jobId), pid);
	};
	return [
		route({method: 'GET', path: job, parameters}, input => view(find(input.parameters.job_id))),
		route({method: 'GET', path: `${job}/log`, parameters, query: jobLogQuery}, async input => {
			const job = find(input.parameters.job_id);
			const {jobId} = job;
			const {offset, limit} = input.query;
			const piece = await readLogWindow(new JobFolder(lakeFolder, job).log, offset, limit);
			return {job_id: jobId, ...piece} satisfies JobLog;
		}),
		route({method: 'GET', path: `${job}/series`, parameters, query: jobSeriesQuery}, async input => {
			const job = find(input.parameters.job_id);
			const {jobId} = job;
			const series = await readSeries(new JobFolder(lakeFolder, job).series, input.query.limit);
			return {job_id: jobId, ...series} satisfies JobSeries;
		}),
		route(
			{method: 'POST', path: `${job}/stop`, parameters},
			input => {
				const job = find(input.parameters.job_id);
				if (!isOver(job)) return view(runner.stop(job));
				throw new HttpProblem(409, `The job has ended already: it is ${job.status}.`);
			},
			202,
		),
		route(
			{method: 'POST', path: `${job}/restart`, parameters},
			async input => view(await finetunes.restart(find(input.parameters.job_id))),
			202,
		),
		route({method: 'GET', path: '/local/v1/machine'}, () => machine.read()),
		route({method: 'GET', path: '/local/v1/trainer'}, async () => {
			const others = await trainers.others();
			const named = others.map(async each => ({
				name: nameOf(each.kind),
				message: (await each.find()).message,
			}));
			const listed = others.length > 0 && {trainers: await Promise.all(named)};
			return {...(await trainerNow(await trainers.for({}))), ...listed};
		}),
		route({method: 'GET', path: '/local/v1/trainer/options'}, () => trainers.chosen.options()),
	];
}
