import path from 'node:path';
import type {ConcurrencyLimit} from '../../concurrency.ts';
import type {IngestProgress, SampleStatus} from '../../contract/local.ts';
import {type SampleDataset, sampleDatasets} from '../../sample/datasets.ts';
import {pictureSize} from '../../sample/robots.ts';
import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import type {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {LakeEngine} from '../lake/engine.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {type ChildBounds, runBounded} from '../workers/bounded-child.ts';
import {lineReader} from '../workers/child-report.ts';
import {programEntry} from '../workers/program-entry.ts';
import {type WriterReport, type WriterRequest, writerReport} from './writer-report.ts';

export type SampleOptions = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'datasets' | 'details'>;
	readonly supervisor: IngestSupervisor;
	readonly store: IngestStore;
	readonly slots: ConcurrencyLimit;
	readonly bounds: ChildBounds;
	readonly activity: Activity;
	readonly log: Log;
};

type Run = {phase: 'writing' | 'ingesting' | 'failed'; step: string; message?: string; written: number};

const episodesOf = (datasets: readonly SampleDataset[]) =>
	datasets.reduce((sum, {episodes}) => sum + episodes, 0);

/** Has the sample's datasets written, and ingests each as soon as it is there. */
export class SampleService {
	readonly #options: SampleOptions;
	readonly #stop = new AbortController();
	#run: Run | undefined;
	#running: Promise<void> | undefined;
	/** Those that were found to be today's: they are asked for often. */
	readonly #current = new Set<SampleDataset>();

	constructor(options: SampleOptions) {
		this.#options = options;
	}

	/** How far it is. Reading it starts nothing. */
	async status(): Promise<SampleStatus> {
		const taken = await this.#taken();
		const run = this.#run;
		const counts = {datasets_done: taken.length, datasets_total: sampleDatasets.length};
		if (taken.length === sampleDatasets.length) return {phase: 'ready', ...counts};
		if (!run) return {phase: 'absent', ...counts};
		const {phase, step, message} = run;
		const progress = progressOf(run, episodesOf(taken));
		return {phase, ...counts, step, ...(message !== undefined && {message}), progress};
	}

	/** Starts whatever is missing, unless that is under way or nothing is. */
	async start(): Promise<SampleStatus> {
		const taken = await this.#taken();
		const missing = sampleDatasets.filter(dataset => !taken.includes(dataset));
		if (missing.length > 0 && !this.#running) this.#begin(missing, episodesOf(taken));
		return await this.status();
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await this.#running;
	}

	/** The sample's datasets that the lake holds as today's version writes them. */
	async #taken(): Promise<SampleDataset[]> {
		const {items} = await this.#options.lake.datasets({sort: 'name', limit: 1000});
		const paths = new Set(items.map(item => item.path));
		const taken: SampleDataset[] = [];
		for (const dataset of sampleDatasets) {
			if (!paths.has(`local/${dataset.name}`)) this.#current.delete(dataset);
			else if (await this.#isCurrent(dataset)) taken.push(dataset);
		}
		return taken;
	}

	/** Earlier versions declared larger cameras, of which there was no video. Theirs is written anew; reviews stay. */
	async #isCurrent(dataset: SampleDataset): Promise<boolean> {
		if (this.#current.has(dataset)) return true;
		const {features} = (await this.#options.lake.details(dataset.name)) ?? {};
		const today = [pictureSize.height, pictureSize.width, 3].join();
		const isCurrent = Object.keys(dataset.program.robot.cameras).every(
			camera => features?.[camera]?.shape?.join() === today,
		);
		if (isCurrent) this.#current.add(dataset);
		return isCurrent;
	}

	#begin(missing: readonly SampleDataset[], takenEpisodes: number): void {
		const done = this.#options.activity.begin('operation');
		const run: Run = {phase: 'writing', step: 'starting to write', written: takenEpisodes};
		this.#run = run;
		this.#running = this.#make(run, missing)
			.catch((error: Error) => {
				this.#options.log(`sample: ${error.stack ?? error.message}`);
				run.phase = 'failed';
				run.message = error.message;
			})
			.finally(() => {
				this.#running = undefined;
				done();
			});
	}

	async #make(run: Run, missing: readonly SampleDataset[]): Promise<void> {
		const before = run.written;
		const ingests: Promise<string | undefined>[] = [];
		await this.#write(missing, report => {
			// They are awaited once all is written: a failure before then must not go unhandled.
			if (report.type === 'written') {
				const {name, folder} = report;
				const refused = (error: unknown) => `Cannot ingest ${name}: ${systemReason(error)}.`;
				ingests.push(this.#ingest(name, folder).catch(refused));
			}
			if (report.type !== 'progress') return;
			run.written = before + report.done;
			run.step = `writing ${report.dataset}`;
		});
		run.phase = 'ingesting';
		run.step = 'ingesting the datasets';
		const failure = (await Promise.all(ingests)).find(message => message !== undefined);
		if (failure !== undefined) throw new Error(failure);
	}

	/** @returns why it failed, if it did */
	async #ingest(name: string, folder: string): Promise<string | undefined> {
		const {supervisor, store} = this.#options;
		// An earlier service may have begun it, and this one finished it meanwhile.
		if ((await this.#taken()).some(dataset => dataset.name === name)) return undefined;
		const submission = await supervisor.submit({name, folder});
		if (submission.kind === 'conflict') {
			return `The sample's dataset ${name} is in this lake already, from ${submission.folder}.`;
		}
		const {operationId} = submission.operation;
		await supervisor.ended(operationId);
		const operation = store.get(operationId);
		return operation?.phase === 'failed' ? (operation.message ?? `The ingest of ${name} failed.`) : undefined;
	}

	async #write(missing: readonly SampleDataset[], onReport: (report: WriterReport) => void): Promise<void> {
		const {lakeFolder, slots, bounds, log} = this.#options;
		const request: WriterRequest = {
			folder: path.join(lakeFolder, 'datasets'),
			datasets: missing.map(({name}) => name),
		};
		const leave = await slots.take();
		let last: WriterReport | undefined;
		try {
			const child = await runBounded({
				entry: programEntry('embedded-service.js', 'main.ts'),
				args: ['write-sample'],
				input: JSON.stringify(request),
				bounds,
				signal: this.#stop.signal,
				onOutput: lineReader(writerReport, report => {
					last = report;
					onReport(report);
				}),
			});
			const end = await child.end;
			if (last?.type === 'done' || end.ended === 'stopped') return;
			if (end.lastWords) log(`sample: ${end.lastWords}`);
			if (last?.type === 'failed') throw new Error(`Cannot write the sample: ${last.message}`);
			const how = end.ended ?? end.signal ?? `exit code ${end.code}`;
			throw new Error(`The process that writes the sample ended early (${how}). Try again with --sample.`);
		} finally {
			leave();
		}
	}
}

/** Writing an episode and ingesting it are half of its work each. */
function progressOf({written, step}: Run, taken: number): IngestProgress {
	const done = Math.floor((Math.max(written, taken) + taken) / 2);
	return {done, total: episodesOf(sampleDatasets), unit: 'episodes', step};
}
