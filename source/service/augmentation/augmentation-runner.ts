import {readdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {ConcurrencyLimit} from '../../concurrency.ts';
import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {noRoomFor} from '../host/reserve.ts';
import {systemReason} from '../host/start-error.ts';
import type {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {JobLinks} from '../jobs/records/job-links.ts';
import type {LakeEngine} from '../lake/engine.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {ChildBounds} from '../workers/bounded-child.ts';
import {type Augmentation, beginPhase, currentPhase, isOver} from './augmentation.ts';
import type {AugmentationStore} from './augmentation-store.ts';
import {runTrim, type TrimFindings} from './trim-run.ts';

type RunnerOptions = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'dataset' | 'remove'>;
	readonly store: AugmentationStore;
	readonly ingests: IngestStore;
	readonly supervisor: Pick<IngestSupervisor, 'submit' | 'ended' | 'abandon'>;
	readonly links: JobLinks;
	readonly slots: ConcurrencyLimit;
	readonly bounds: ChildBounds;
	readonly activity: Activity;
	readonly log: Log;
};

/** How often a trimming is begun before it counts as what ends the service each time. */
const maxAttempts = 3;

/** How often progress is written down. */
const progressMs = 200;

const cancelled = 'It was cancelled.';

/** Where augmentations keep what they make, a folder a job. */
export const augmentationsFolder = (lakeFolder: string): string => path.join(lakeFolder, 'augmentations');

/** Takes augmentations through their phases, as cores allow. */
export class AugmentationRunner {
	readonly #options: RunnerOptions;
	readonly #stop = new AbortController();
	/** Aborts a job's child; settles when the job is at rest. */
	readonly #running = new Map<string, {readonly end: AbortController; readonly rest: Promise<void>}>();

	constructor(options: RunnerOptions) {
		this.#options = options;
	}

	/**
	 * Takes up what an earlier service left, and takes away what it made for jobs that came to nothing. To be called
	 * once, after ingests were taken up.
	 */
	async resume(): Promise<void> {
		const {store, log} = this.#options;
		await this.#sweep();
		for (const job of store.unfinished()) {
			const {jobId, attempts, name} = job;
			if (job.summary === null && attempts >= maxAttempts) {
				const message = `The service ended ${attempts} times while making ${name}, probably because of it. Its log is service.log in the lake's folder.`;
				store.end(jobId, {status: 'failed', message});
				void this.#discard(job);
			} else {
				if (job.status === 'running') log(`takes up the augmentation ${jobId} again (${currentPhase(job)})`);
				this.start(job);
			}
		}
	}

	/** A service may have ended between a job's end and the removal of what it had made. */
	async #sweep(): Promise<void> {
		const {store, supervisor, lakeFolder} = this.#options;
		for (const jobId of await readdir(augmentationsFolder(lakeFolder)).catch(() => [])) {
			const job = store.get(jobId);
			if (!job || !isOver(job) || job.status === 'completed') continue;
			if (job.operationId !== null) {
				supervisor.abandon(job.operationId, cancelled);
				void supervisor.ended(job.operationId).then(() => this.#discard(job));
			} else {
				await this.#discard(job);
			}
		}
	}

	start(job: Augmentation): void {
		const {jobId} = job;
		const done = this.#options.activity.begin('operation');
		const end = new AbortController();
		const rest = this.#run(job, AbortSignal.any([end.signal, this.#stop.signal]))
			.catch(error => this.#giveUp(job, error))
			.finally(() => {
				this.#running.delete(jobId);
				done();
			});
		this.#running.set(jobId, {end, rest});
	}

	/**
	 * Ends a job that has not ended: its credits are settled, then its process is stopped. What it had made goes.
	 *
	 * @returns the job as it is now
	 */
	async cancel(job: Augmentation): Promise<Augmentation> {
		const {store, supervisor} = this.#options;
		const {jobId} = job;
		const ended = store.end(jobId, {status: 'cancelled', message: cancelled});
		if (!ended) return store.get(jobId) ?? job;
		const running = this.#running.get(jobId);
		running?.end.abort();
		if (ended.operationId !== null) supervisor.abandon(ended.operationId, cancelled);
		// A child is gone at once; a place among the ingests may be long in coming, and is not waited for.
		else if (job.status === 'running' && ended.summary === null) await running?.rest;
		return ended;
	}

	/** Settles when a job is at rest. */
	async ended(jobId: string): Promise<void> {
		await this.#running.get(jobId)?.rest;
	}

	/** Ends every child. What they were at is taken up by the next service. */
	async stop(): Promise<void> {
		this.#stop.abort();
		await Promise.all([...this.#running.values()].map(({rest}) => rest));
	}

	async #run(job: Augmentation, signal: AbortSignal): Promise<void> {
		const {store} = this.#options;
		if (job.summary === null && !(await this.#trim(job, signal))) return;
		const trimmed = store.get(job.jobId);
		if (!trimmed || isOver(trimmed)) return;
		await this.#ingest(trimmed);
	}

	/** @returns whether the new dataset lies in its folder */
	async #trim(job: Augmentation, signal: AbortSignal): Promise<boolean> {
		const {store, slots, bounds, log, lakeFolder} = this.#options;
		const {jobId, datasetFolder: folder, datasetName: dataset_name, target, ordinal, leftOut = []} = job;
		const leave = await slots.take();
		try {
			if (signal.aborted) return false;
			const problem = await noRoomFor(lakeFolder);
			if (problem !== undefined) {
				store.end(jobId, {
					status: 'failed',
					message: `There is no room to trim ${dataset_name}: ${problem}.`,
				});
				return false;
			}
			const attempt = job.attempts + 1;
			const event = {
				timestamp: new Date().toISOString(),
				...(attempt > 1 && {retry_attempt: attempt - 1, note: 'The service had ended meanwhile.'}),
			};
			const phases = beginPhase(job.phases, 'trimming', event);
			if (!store.change(jobId, {status: 'running', attempts: attempt, phases})) return false;
			// The output of an earlier attempt is useless: its end is unknown.
			await rm(path.dirname(target), {recursive: true, force: true});
			const {outcome, findings} = await runTrim({
				request: {folder, dataset_name, target, ordinal, left_out: [...leftOut]},
				bounds,
				signal,
				onProgress: this.#progressWriter(jobId),
			});
			if (outcome.kind === 'stopped') {
				if (!this.#stop.signal.aborted) await this.#discard(job);
				// An end that was asked for is not held against the dataset.
				else store.change(jobId, {attempts: job.attempts});
				return false;
			}
			this.#note(jobId, findings);
			if (outcome.kind === 'done') return store.change(jobId, {summary: outcome.summary}) !== undefined;
			log(`augmentation ${jobId} failed: ${outcome.message} ${outcome.lastWords}`);
			store.end(jobId, {status: 'failed', message: outcome.message});
			await this.#discard(job);
			return false;
		} finally {
			leave();
		}
	}

	async #ingest(job: Augmentation): Promise<void> {
		const {store, supervisor, ingests, links, log} = this.#options;
		const operationId = job.operationId ?? (await this.#submit(job));
		if (operationId === undefined) return;
		await supervisor.ended(operationId);
		const operation = ingests.get(operationId);
		if (operation?.phase === 'finalized') {
			const augmentedDatasetId = operation.repoId;
			if (store.end(job.jobId, {status: 'completed', augmentedDatasetId})) {
				links.add(augmentedDatasetId, job.jobId, 'output');
				log(`augmentation ${job.jobId}: ${job.name}`);
				return;
			}
		} else if (operation?.phase === 'failed') {
			store.end(job.jobId, {status: 'failed', message: operation.message ?? 'The ingest failed.'});
		} else if (operation) {
			// The service ends: the next one takes both up.
			return;
		} else {
			store.end(job.jobId, {status: 'failed', message: 'Its ingest is not in the operations file.'});
		}
		await this.#discard(job);
	}

	/** @returns undefined where the job ended instead */
	async #submit(job: Augmentation): Promise<string | undefined> {
		const {store, supervisor} = this.#options;
		const {jobId, name, target: folder} = job;
		const submission = await supervisor.submit({name, folder});
		if (submission.kind === 'conflict') {
			const message = `The lake has a dataset named ${name} by now, from ${submission.folder}. Start it again under another name.`;
			store.end(jobId, {status: 'failed', message});
			await this.#discard(job);
			return undefined;
		}
		const {operationId} = submission.operation;
		const phases = beginPhase(job.phases, 'ingesting', {timestamp: new Date().toISOString()});
		if (store.change(jobId, {operationId, phases})) return operationId;
		supervisor.abandon(operationId, cancelled);
		await supervisor.ended(operationId);
		await this.#discard(job);
		return undefined;
	}

	/** Takes away what a job made that did not complete, out of the lake as well. */
	async #discard({target, name}: Augmentation): Promise<void> {
		const {lake, log} = this.#options;
		try {
			const held = await lake.dataset(name);
			if (held?.folder === target) await lake.remove(held.dataset_id);
			await rm(path.dirname(target), {recursive: true, force: true});
		} catch (error) {
			log(`what was made of ${name} could not be removed: ${systemReason(error)}`);
		}
	}

	/** Notes that a job failed for a reason of this machine's, if that can still be noted. */
	async #giveUp(job: Augmentation, error: unknown): Promise<void> {
		const {store, log} = this.#options;
		log(
			`augmentation ${job.jobId}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
		);
		try {
			store.end(job.jobId, {status: 'failed', message: `Cannot make ${job.name}: ${systemReason(error)}.`});
		} catch (unwritten) {
			log(`and that could not be recorded: ${systemReason(unwritten)}; the next service takes it up again`);
			return;
		}
		await this.#discard(job);
	}

	#progressWriter(jobId: string): (findings: TrimFindings) => void {
		let last = Number.NEGATIVE_INFINITY;
		return findings => {
			const now = performance.now();
			if (now - last < progressMs) return;
			last = now;
			this.#note(jobId, findings);
		};
	}

	#note(jobId: string, {progress, problems, problemCount}: TrimFindings): void {
		if (!progress) return;
		try {
			this.#options.store.progress(jobId, progress, problems, problemCount);
		} catch (error) {
			this.#options.log(`progress could not be recorded: ${systemReason(error)}`);
		}
	}
}
