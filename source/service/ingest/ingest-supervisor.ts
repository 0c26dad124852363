import {existsSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {ConcurrencyLimit} from '../../concurrency.ts';
import type {IngestProgress} from '../../contract/local.ts';
import {homeOfDataset} from '../../files/hub-cache.ts';
import {
	progressDataset,
	progressModelOf,
	progressName,
	rewardModels,
} from '../../lerobot/read-reward-progress.ts';
import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {noRoomFor} from '../host/reserve.ts';
import {systemReason} from '../host/start-error.ts';
import type {LakeEngine, Mark} from '../lake/engine.ts';
import type {IngestOperation, Published} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {ChildBounds} from '../workers/bounded-child.ts';
import {killGroup, startOfProcess} from '../workers/process-facts.ts';
import type {DatasetSource} from './dataset-source.ts';
import {type Findings, runIngest} from './ingest-run.ts';
import {publishedBefore, settleInterrupted} from './interrupted-ingest.ts';

/** The answer to a submission: the ingest, new or running already, or the folder that has the name. */
type Submission =
	| {readonly kind: 'accepted'; readonly operation: IngestOperation}
	| {readonly kind: 'conflict'; readonly folder: string};

type SupervisorOptions = {
	/** The folder in which children leave what they read. */
	readonly stagingFolder: string;
	readonly lake: Pick<LakeEngine, 'publish' | 'dataset'>;
	readonly store: IngestStore;
	/** People's decisions about episodes, to be shown in the published dataset. */
	readonly reviews?: {marks(datasetName: string): Mark[]; set(marks: readonly Mark[]): void};
	readonly slots: ConcurrencyLimit;
	readonly bounds: ChildBounds;
	readonly activity: Pick<Activity, 'begin'>;
	readonly log: Log;
	/** Where datasets come from that have no folder yet when they are accepted. */
	readonly provider?: FolderProvider;
};

/** Makes the folders of datasets that have none when they are accepted: uploads, compositions. */
export type FolderProvider = {
	/** True for a folder that this provider makes for the dataset of this name. */
	holds(name: string, folder: string): boolean;
	/** Makes an ingest's folder, unless it is there. */
	provide(
		operation: IngestOperation,
		signal: AbortSignal,
		onProgress: (progress: IngestProgress) => void,
	): Promise<void>;
	/** A newer generation of the dataset is finalized. */
	sweep(name: string): Promise<void>;
};

/** How often an ingest is taken up before it counts as what ends the service each time. */
const maxAttempts = 3;

/** Ingests datasets, as many at once as cores allow, through the phases of section 2.8. */
export class IngestSupervisor {
	readonly #options: SupervisorOptions;
	readonly #stop = new AbortController();
	readonly #running = new Map<string, Promise<void>>();
	readonly #abandoned = new Map<string, AbortController>();
	/** The ingest of each dataset that was accepted last. */
	readonly #lastOf = new Map<string, Promise<void>>();

	constructor(options: SupervisorOptions) {
		this.#options = options;
	}

	/** Accepts a dataset. The same dataset from the same folder is not ingested twice at once. */
	async submit({folder, name}: DatasetSource): Promise<Submission> {
		const {store, lake} = this.#options;
		const held = (await lake.dataset(name))?.folder;
		// From here on nothing is waited for, so that of two requests for one dataset the second finds the first.
		const current = store.unfinishedOf(name).find(operation => operation.folder === folder);
		if (current) return {kind: 'accepted', operation: current};
		// Another revision in the Hub's cache is a generation of the same dataset.
		const home = homeOfDataset(folder);
		const holder = this.#holder(name, held, other => homeOfDataset(other) === home);
		if (holder !== undefined) return {kind: 'conflict', folder: holder};
		const operation = store.create(name, folder);
		this.#start(operation);
		return {kind: 'accepted', operation};
	}

	/**
	 * Accepts a revision of a dataset; revisions of one dataset are ingested one after the other.
	 *
	 * @param isOwn whether a folder is an earlier revision of it, and not another dataset
	 * @param accept writes the ingest down and gives it; undefined where that was done before
	 */
	async dispatch({
		name,
		isOwn,
		accept,
	}: {
		name: string;
		isOwn: (folder: string) => boolean;
		accept: () => IngestOperation | undefined;
	}): Promise<{readonly kind: 'accepted'} | {readonly kind: 'conflict'; readonly folder: string}> {
		const held = (await this.#options.lake.dataset(name))?.folder;
		const holder = this.#holder(name, held, isOwn);
		if (holder !== undefined) return {kind: 'conflict', folder: holder};
		const operation = accept();
		if (operation) this.#start(operation);
		return {kind: 'accepted'};
	}

	/** The folder whose dataset has this name, in the lake or on its way there, unless it is one's own. */
	async holderOf(name: string, isOwn: (folder: string) => boolean): Promise<string | undefined> {
		return this.#holder(name, (await this.#options.lake.dataset(name))?.folder, isOwn);
	}

	#holder(name: string, held: string | undefined, isOwn: (folder: string) => boolean): string | undefined {
		const other = this.#options.store.unfinishedOf(name).find(({folder}) => !isOwn(folder));
		if (other) return other.folder;
		// A dataset that was moved keeps its name.
		return held !== undefined && !isOwn(held) && existsSync(held) ? held : undefined;
	}

	/**
	 * Takes up what an earlier service left: what it had published is finalized, the rest begins anew. To be called
	 * once, before anything is submitted.
	 */
	async resume(): Promise<void> {
		const {store, stagingFolder, log} = this.#options;
		const unfinished = store.unfinished();
		for (const {child} of unfinished) {
			if (child?.started && (await startOfProcess(child.pid)) === child.started) killGroup(child.pid);
		}
		await rm(stagingFolder, {recursive: true, force: true});
		await mkdir(stagingFolder, {recursive: true, mode: 0o700});
		for (const operation of unfinished) {
			const {operationId, datasetName, attempts, phase} = operation;
			const published = await publishedBefore(this.#options.lake, operation);
			if (published) {
				await this.#finalize(operation, published);
			} else if (attempts >= maxAttempts) {
				const message = `The service ended ${attempts} times while ingesting ${datasetName}, probably because of it. Its log is service.log in the lake's folder.`;
				store.fail(operationId, message, operation.problems, operation.problemCount);
			} else {
				log(`takes up the ingest of ${datasetName} again (it was ${phase})`);
				store.requeue(operationId, attempts);
				this.#start(operation);
			}
		}
	}

	/** Settles when an ingest has ended, however. */
	async ended(operationId: string): Promise<void> {
		await this.#running.get(operationId);
	}

	/**
	 * Cancels an ingest: it fails with this reason, unless it is being published
	 * already or has ended.
	 */
	abandon(operationId: string, reason: string): void {
		this.#abandoned.get(operationId)?.abort(reason);
	}

	/** Ends every child. The next service continues their work. */
	async stop(): Promise<void> {
		this.#stop.abort();
		await Promise.all(this.#running.values());
	}

	#start(operation: IngestOperation): void {
		const {operationId, datasetName} = operation;
		const {activity} = this.#options;
		const done = activity.begin('operation');
		this.#abandoned.set(operationId, new AbortController());
		// A dataset's generations follow one another in the order in which they were accepted.
		const before = this.#lastOf.get(datasetName) ?? Promise.resolve();
		const run = before
			.then(() => this.#run(operation))
			.catch(error => settleInterrupted(this.#options, operation, error, this.#stop.signal))
			.finally(() => {
				this.#running.delete(operationId);
				this.#abandoned.delete(operationId);
				if (this.#lastOf.get(datasetName) === run) this.#lastOf.delete(datasetName);
				done();
			});
		this.#running.set(operationId, run);
		this.#lastOf.set(datasetName, run);
	}

	async #run(operation: IngestOperation): Promise<void> {
		const {operationId, repoId, datasetName, folder} = operation;
		const {store, lake, stagingFolder, log, provider, reviews} = this.#options;
		const staging = path.join(stagingFolder, operationId);
		try {
			if (await this.#lacksRoom(operation)) return;
			const outcome = await this.#read(operation, staging);
			const abandoned = this.#abandoned.get(operationId)?.signal;
			if (abandoned?.aborted) {
				store.fail(operationId, String(abandoned.reason), [], 0);
				return;
			}
			if (outcome === undefined || outcome.kind === 'stopped') return;
			const {problems, problemCount} = outcome;
			if (outcome.kind === 'failed') {
				log(`ingest of ${datasetName} failed: ${outcome.message} ${outcome.lastWords}`);
				store.fail(operationId, outcome.message, problems, problemCount);
				return;
			}
			if (await this.#lacksRoom(operation)) return;
			const generation = ((await lake.dataset(datasetName))?.generation ?? 0) + 1;
			store.publishing(operationId, generation, problems, problemCount);
			const published = await lake.publish({
				dataset_id: repoId,
				dataset_name: datasetName,
				folder,
				staging,
				reviews: reviews?.marks(datasetName) ?? [],
				keepMarks: marks => reviews?.set(marks),
			});
			await this.#finalize(operation, published);
			log(
				`ingest of ${datasetName}: ${published.episode_count} episodes, generation ${published.generation}`,
			);
			if (provider?.holds(datasetName, folder)) await provider.sweep(datasetName);
		} finally {
			await rm(staging, {recursive: true, force: true}).catch(error =>
				log(`cannot remove ${staging}: ${error}`),
			);
		}
	}

	/** Fails an ingest that would take what reading the lake needs of the disk. */
	async #lacksRoom({operationId, datasetName}: IngestOperation): Promise<boolean> {
		const {store, stagingFolder} = this.#options;
		const problem = await noRoomFor(path.dirname(stagingFolder));
		if (problem === undefined) return false;
		store.fail(operationId, `There is no room to ingest ${datasetName}: ${problem}.`, [], 0);
		return true;
	}

	/** The progress that reward models left in a dataset's folder is an artifact of its own each, ingested with it. */
	async #finalize({operationId, datasetName, folder}: IngestOperation, published: Published): Promise<void> {
		const {store, log} = this.#options;
		const isOwn = (other: string) => progressModelOf(other) !== undefined;
		// Accepted first: a service that ends in between finds all of them.
		for (const model of isOwn(folder) ? [] : rewardModels) {
			const file = path.join(folder, progressName(model));
			if (!existsSync(file)) continue;
			const name = progressDataset(datasetName, model);
			const accept = () => store.create(name, file);
			const submission = await this.dispatch({name, isOwn, accept});
			if (submission.kind === 'conflict') log(`${file}: ${name} is the dataset in ${submission.folder}`);
		}
		store.finalize(operationId, published);
	}

	/** Has a child read the dataset, when there is a core for it. */
	async #read(operation: IngestOperation, staging: string) {
		const {operationId, repoId, datasetName, folder} = operation;
		const {store, slots, bounds, log} = this.#options;
		const abandoned = this.#abandoned.get(operationId)?.signal;
		const stopped = abandoned ? AbortSignal.any([this.#stop.signal, abandoned]) : this.#stop.signal;
		const leave = await slots.take(stopped).catch(() => undefined);
		if (leave === undefined) return undefined;
		try {
			await mkdir(staging, {recursive: true, mode: 0o700});
			const progress = progressWriter(store, log, operationId);
			if (!(await this.#provide(operation, progress, stopped))) return undefined;
			const outcome = await runIngest({
				request: {
					operation_id: operationId,
					folder,
					dataset_name: datasetName,
					dataset_id: repoId,
					staging,
				},
				bounds,
				signal: stopped,
				onStarted: child => store.prepare(operationId, child),
				onProgress: progress,
			});
			// An end that was asked for is not held against the dataset.
			if (outcome.kind === 'stopped' && !abandoned?.aborted) store.requeue(operationId, 0);
			return outcome;
		} finally {
			leave();
		}
	}

	/** Has the folder made of a dataset that has none yet; false where the service ends meanwhile, or it is given up. */
	async #provide(
		operation: IngestOperation,
		progress: ProgressWriter,
		signal: AbortSignal,
	): Promise<boolean> {
		const {store, provider} = this.#options;
		const {operationId, datasetName, folder, attempts} = operation;
		if (!provider?.holds(datasetName, folder)) return true;
		store.provide(operationId);
		try {
			const none = {problems: [], problemCount: 0, preventsTraining: false};
			await provider.provide(operation, signal, made => progress(made, none));
			return true;
		} catch (error) {
			if (!signal.aborted) throw error;
			if (this.#stop.signal.aborted) store.requeue(operationId, attempts);
			return false;
		}
	}
}

/** How often progress is written down. */
const progressMs = 200;

/** Stores the progress of an ingest, at most five times a second. */
type ProgressWriter = (progress: IngestProgress, findings: Findings) => void;

function progressWriter(store: IngestStore, log: Log, operationId: string): ProgressWriter {
	let last = Number.NEGATIVE_INFINITY;
	return (progress, {problems, problemCount}) => {
		const now = performance.now();
		if (now - last < progressMs) return;
		last = now;
		try {
			store.progress(operationId, JSON.stringify(progress), problems, problemCount);
		} catch (error) {
			log(`progress could not be recorded: ${systemReason(error)}`);
		}
	};
}
