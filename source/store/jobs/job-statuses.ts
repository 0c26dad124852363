import type {QueryClient} from '@tanstack/query-core';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import {ConcurrencyLimit} from '../../concurrency.ts';
import type {JobStatusResponse} from '../../contract/job-status.ts';
import {Watched} from '../queries/polled.ts';
import {sharedPaceMs} from '../queries/polling.ts';
import {hasEnded, type JobKind} from './job-entry.ts';

/** Between two readings of a job that has not ended: while somebody looks, and while nobody does. */
const paces = {shown: 3000, behind: 15_000} as const;

/** Statuses that are kept; those of the longest unseen go first. */
const kept = 500;

type ReadStatus = {readonly kind: JobKind; readonly status: JobStatusResponse};

type StatusClient = Pick<Client, 'finetuneStatus' | 'augmentationStatus'>;

/** The statuses of jobs, read for those that somebody looks at, a few at once. */
export class JobStatuses {
	readonly #queries: QueryClient;
	readonly #client: StatusClient;
	readonly #changed: () => void;
	readonly #limit = new ConcurrencyLimit(4);
	readonly #watched = new Map<string, Watched<ReadStatus>>();
	#isShown = false;
	#isLive = false;

	constructor(options: {queries: QueryClient; client: StatusClient; changed: () => void}) {
		this.#queries = options.queries;
		this.#client = options.client;
		this.#changed = options.changed;
	}

	/** Each that is watched was read by this run, or cannot be. */
	get areCurrent(): boolean {
		const watched = [...this.#watched.values()].filter(each => each.isWatched);
		return watched.every(each => each.isCurrent);
	}

	/** Whether somebody looks: then they are read quickly. */
	show(isShown: boolean): void {
		if (isShown === this.#isShown) return;
		this.#isShown = isShown;
		for (const watched of this.#watched.values()) if (watched.isWatched) watched.paceChanged();
	}

	/** Whether events tell when to look: what is polled is polled rarely then. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		for (const watched of this.#watched.values()) if (watched.isWatched) watched.paceChanged();
	}

	/** Watches these jobs, and no others. @param kindOf what a job is, where that is known */
	look(ids: readonly string[], kindOf: (id: string) => JobKind | undefined): void {
		const wanted = new Set(ids);
		for (const [id, watched] of this.#watched) if (!wanted.has(id)) watched.leave();
		for (const id of wanted) {
			const known = this.#watched.get(id) ?? this.#create(id, kindOf);
			// Most recently seen last.
			this.#watched.delete(id);
			this.#watched.set(id, known);
			known.watch();
		}
		for (const [id, watched] of this.#watched) {
			if (this.#watched.size <= kept) break;
			if (!watched.isWatched) this.forget(id);
		}
	}

	/** What is known of it, and when that was last tried to be read. */
	of(id: string): {
		readonly read: ReadStatus | undefined;
		readonly error: Error | null;
		readonly triedAt: number;
	} {
		const known = this.#watched.get(id)?.known.getState();
		return {read: known?.data, error: known?.error ?? null, triedAt: known?.triedAt ?? 0};
	}

	/** Nothing is known of it, nor read, until it is looked at again. */
	forget(id: string): void {
		this.#watched.get(id)?.forget();
		this.#watched.delete(id);
	}

	refetch(ids?: readonly string[]): void {
		for (const id of ids ?? this.moving()) this.#watched.get(id)?.refetch();
	}

	/** Those that are watched and not known to have ended. */
	moving(): readonly string[] {
		const moving = [...this.#watched].filter(([, watched]) => {
			const {data} = watched.known.getState();
			return watched.isWatched && (data === undefined || !hasEnded(data.status));
		});
		return moving.map(([id]) => id);
	}

	#create(id: string, kindOf: (id: string) => JobKind | undefined): Watched<ReadStatus> {
		const watched = new Watched<ReadStatus>({
			queries: this.#queries,
			key: ['job-status', id],
			read: signal => this.#limit.run(() => this.#read(id, kindOf(id), signal), signal),
			paceMs: data => {
				if (data && hasEnded(data.status)) return false;
				const pace = this.#isShown ? paces.shown : paces.behind;
				return sharedPaceMs(pace, this.moving().length, {isLive: this.#isLive, isShown: this.#isShown});
			},
			isOver: ({status}) => hasEnded(status),
		});
		watched.known.subscribe(() => this.#changed());
		return watched;
	}

	/** A job of which nobody knows what it is, is asked for as both. */
	async #read(id: string, kind: JobKind | undefined, signal: AbortSignal): Promise<ReadStatus> {
		if (kind !== 'augmentation') {
			try {
				return {kind: 'fine-tune', status: (await this.#client.finetuneStatus(id, {signal})).data};
			} catch (error) {
				const isOther = error instanceof ServiceError && error.status === 404;
				if (kind === 'fine-tune' || !isOther) throw error;
			}
		}
		return {kind: 'augmentation', status: (await this.#client.augmentationStatus(id, {signal})).data};
	}
}
