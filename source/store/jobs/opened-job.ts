import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {JobLog, LocalJob} from '../../contract/local-jobs.ts';
import {Watched} from '../watched.ts';
import {hasEnded, type JobEntry} from './job-entry.ts';

/** What the embedded service knows of an opened job besides: where it is at, and the end of its log. */
export type OpenedJob = {
	readonly id: string;
	readonly job: LocalJob | undefined;
	/** The newest lines. */
	readonly log: string | undefined;
};

/** Bytes from the end of a log that are read. */
const tailBytes = 8192;

const paceMs = 2000;

/** Watches the one job that is opened, where the embedded service runs it. */
export class OpenedJobWatch {
	readonly known: StoreApi<OpenedJob | undefined> = createStore((): OpenedJob | undefined => undefined);
	readonly #queries: QueryClient;
	readonly #client: Pick<Client, 'localJob' | 'jobLog'>;
	#id: string | undefined;
	#watched: readonly Watched<unknown>[] = [];

	constructor(queries: QueryClient, client: Pick<Client, 'localJob' | 'jobLog'>) {
		this.#queries = queries;
		this.#client = client;
	}

	/** Opens a job, or none; an augmentation runs no trainer. */
	open(entry: JobEntry | undefined): void {
		const id = entry?.kind === 'fine-tune' ? entry.id : undefined;
		if (id === this.#id) return;
		for (const watched of this.#watched) watched.leave();
		this.#watched = [];
		this.#id = id;
		this.known.setState(undefined, true);
		if (id === undefined) return;
		const job = new Watched<LocalJob>({
			queries: this.#queries,
			key: ['local-job', id],
			read: async signal => (await this.#client.localJob(id, {signal})).data,
			paceMs: data => (data && hasEnded(data) ? false : paceMs),
		});
		const log = new Watched<JobLog>({
			queries: this.#queries,
			key: ['job-log', id],
			read: async signal =>
				(await this.#client.jobLog(id, {offset: -tailBytes, limit: tailBytes}, {signal})).data,
			paceMs: () => (hasEnded(job.known.getState().data ?? {status: undefined}) ? false : paceMs),
		});
		const tell = () => {
			if (this.#id !== id) return;
			const held = job.known.getState().data;
			this.known.setState({id, job: held, log: log.known.getState().data?.text}, true);
		};
		job.known.subscribe(tell);
		log.known.subscribe(tell);
		this.#watched = [job, log] as readonly Watched<unknown>[];
		job.watch();
		log.watch();
	}

	readAgain(): void {
		for (const watched of this.#watched) watched.readAgain();
	}
}
