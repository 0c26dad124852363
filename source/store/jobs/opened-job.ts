import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {JobLog, LocalJob, LocalMachine} from '../../contract/local-jobs.ts';
import {Watched} from '../queries/polled.ts';
import {hasEnded, type JobEntry} from './job-entry.ts';

/** Further data of the embedded service about an opened job: its progress, and the end of its log. */
export type OpenedJob = {
	readonly id: string;
	readonly job: LocalJob | undefined;
	/** The newest lines. */
	readonly log: string | undefined;
	/** Free memory and disk of the machine; undefined if the service does not tell. */
	readonly machine: LocalMachine | undefined;
};

/** Bytes from the end of a log that are read. */
const tailBytes = 8192;

const paceMs = 2000;
const machinePaceMs = 5000;

type OpenedJobClient = Pick<Client, 'localJob' | 'jobLog' | 'machine'>;

/** Watches the one job that is opened, where the embedded service runs it. */
export class OpenedJobWatch {
	readonly known: StoreApi<OpenedJob | undefined> = createStore((): OpenedJob | undefined => undefined);
	readonly #queries: QueryClient;
	readonly #client: OpenedJobClient;
	#id: string | undefined;
	#watched: readonly Watched<unknown>[] = [];

	constructor(queries: QueryClient, client: OpenedJobClient) {
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
		const isOver = () => hasEnded(job.known.getState().data ?? {status: undefined});
		const log = new Watched<JobLog>({
			queries: this.#queries,
			key: ['job-log', id],
			read: async signal =>
				(await this.#client.jobLog(id, {offset: -tailBytes, limit: tailBytes}, {signal})).data,
			paceMs: () => (isOver() ? false : paceMs),
		});
		const machine = new Watched<LocalMachine>({
			queries: this.#queries,
			key: ['machine'],
			read: async signal => (await this.#client.machine({signal})).data,
			paceMs: () => (isOver() ? false : machinePaceMs),
		});
		const notify = () => {
			if (this.#id !== id) return;
			const held = job.known.getState().data;
			const left = machine.known.getState().data;
			this.known.setState({id, job: held, log: log.known.getState().data?.text, machine: left}, true);
		};
		job.known.subscribe(notify);
		log.known.subscribe(notify);
		machine.known.subscribe(notify);
		this.#watched = [job, log, machine] as readonly Watched<unknown>[];
		for (const watched of this.#watched) watched.watch();
	}

	refetch(): void {
		for (const watched of this.#watched) watched.refetch();
	}
}
