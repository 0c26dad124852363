import type {QueryClient} from '@tanstack/query-core';
import {ServiceError} from '../../client/errors.ts';
import {Watched} from './polled.ts';
import {sharedPaceMs} from './polling.ts';

/** Where an id came from that is followed although no list need hold it. */
export type NamedBy = {readonly byHand: boolean; readonly byEvent: boolean};

/** How often things that have not ended are fetched: while their view shows, and behind another one. */
type Paces = {readonly shown: number; readonly behind: number};

type FollowedOptions<Status> = {
	readonly queries: QueryClient;
	/** First word of each one's key in the cache. */
	readonly key: string;
	readonly read: (id: string, signal: AbortSignal) => Promise<Status>;
	/** It has ended, and stays as it is. */
	readonly isOver: (status: Status) => boolean;
	readonly paces: Paces;
	/** Ids that are kept: named ones, and those that were only looked at; the oldest go first. */
	readonly most: {readonly named: number; readonly looked: number};
	/** True if anything besides its id shows that it exists. */
	readonly isHeardOf: (id: string) => boolean;
	/** Called when what is known of one has changed. */
	readonly changed: (id: string) => void;
	/** Called when the service knows no such id: it is followed no more. */
	readonly lost: (id: string, by: NamedBy) => void;
};

/** The status of one id, and when the newest attempt to read it ended (0 before the first). */
type FollowedKnown<Status> = {
	readonly status: Status | undefined;
	readonly error: Error | null;
	readonly triedAt: number;
};

/** Statuses of an answer that says that there is nothing of an id. */
const noneStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/**
 * Things of the service that are followed by their ids until they end: operations, jobs. Each is polled while it is
 * watched, fetched at once when an event names it, and dropped when the service knows none of its id.
 */
export class FollowedById<Status> {
	readonly #options: FollowedOptions<Status>;
	/** Least recently looked at first. */
	readonly #watched = new Map<string, Watched<Status>>();
	/** Oldest first. */
	readonly #named = new Map<string, NamedBy>();
	#isShown = false;
	#isLive = false;

	constructor(options: FollowedOptions<Status>) {
		this.#options = options;
	}

	/** The ids that are followed because a hand or an event named them, oldest first. */
	get named(): ReadonlyMap<string, NamedBy> {
		return this.#named;
	}

	/** Each that is watched was read by this run, or cannot be read. */
	get areCurrent(): boolean {
		return [...this.#watched.values()].every(watched => !watched.isWatched || watched.isCurrent);
	}

	/** Follows an id; what named it before counts too. */
	name(id: string, by: Partial<NamedBy>): NamedBy {
		const {byHand = false, byEvent = false} = this.#named.get(id) ?? {};
		const named = {byHand: byHand || by.byHand === true, byEvent: byEvent || by.byEvent === true};
		this.#named.set(id, named);
		if (this.#named.size > this.#options.most.named) this.#dropOldest(id);
		return named;
	}

	of(id: string): FollowedKnown<Status> {
		const known = this.#watched.get(id)?.known.getState();
		return {status: known?.data, error: known?.error ?? null, triedAt: known?.triedAt ?? 0};
	}

	/** It has ended, by what was read of it. */
	isOver(id: string): boolean {
		return this.#watched.get(id)?.isOver ?? false;
	}

	isWatched(id: string): boolean {
		return this.#watched.get(id)?.isWatched ?? false;
	}

	/** Says whether its view shows: then they are fetched more often. */
	show(isShown: boolean): void {
		if (isShown === this.#isShown) return;
		this.#isShown = isShown;
		this.#paceChanged();
	}

	/** Says whether events tell what changes: then they are fetched rarely besides. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		this.#paceChanged();
	}

	/** Watches one of them, besides those that are watched. */
	watch(id: string): void {
		const watched = this.#watched.get(id) ?? this.#create(id);
		// Most recently looked at last.
		this.#watched.delete(id);
		this.#watched.set(id, watched);
		watched.watch();
	}

	/** Watches these and no others. */
	watchOnly(ids: Iterable<string>): void {
		const wanted = new Set(ids);
		for (const [id, watched] of this.#watched) if (!wanted.has(id)) watched.leave();
		for (const id of wanted) this.watch(id);
		const {looked} = this.#options.most;
		for (const [id, watched] of this.#watched) {
			if (this.#watched.size <= looked) break;
			if (!watched.isWatched && !this.#named.has(id)) this.#remove(id);
		}
	}

	/** Fetches those that are watched again. @param ids @default those that have not ended */
	refetch(ids: Iterable<string> = this.moving()): void {
		for (const id of ids) this.#watched.get(id)?.refetch();
	}

	/** Those that are watched and not known to have ended. */
	moving(): readonly string[] {
		return [...this.#watched].flatMap(([id, watched]) => (watched.isWatched && !watched.isOver ? [id] : []));
	}

	/** Follows it no more, and keeps nothing of it. */
	forget(id: string): void {
		this.#named.delete(id);
		this.#remove(id);
	}

	#remove(id: string): void {
		this.#watched.get(id)?.forget();
		this.#watched.delete(id);
	}

	#paceChanged(): void {
		for (const watched of this.#watched.values()) if (watched.isWatched) watched.paceChanged();
	}

	#create(id: string): Watched<Status> {
		const {queries, key, read, isOver, paces, changed} = this.#options;
		const watched = new Watched<Status>({
			queries,
			key: [key, id],
			read: signal => read(id, signal),
			paceMs: status => {
				if (status !== undefined && isOver(status)) return false;
				const pace = this.#isShown ? paces.shown : paces.behind;
				return sharedPaceMs(pace, this.moving().length, {isLive: this.#isLive, isShown: this.#isShown});
			},
			isOver,
		});
		watched.known.subscribe(({data, error}) => {
			if (data === undefined && error instanceof ServiceError) this.#refused(id, error.status);
			changed(id);
		});
		return watched;
	}

	/** Drops an id of which the service knows nothing. One that was just accepted may be unknown for a moment. */
	#refused(id: string, status: number): void {
		const by = this.#named.get(id);
		if (by === undefined || !noneStatuses.has(status) || this.#options.isHeardOf(id)) return;
		// An id that was read from an event by its shape may be of something else.
		if (by.byHand && (by.byEvent || status !== 404)) return;
		this.forget(id);
		this.#options.lost(id, by);
	}

	/** Ids that events alone named go first, and of these the ones from which nothing more is expected. */
	#dropOldest(newest: string): void {
		let oldest: string | undefined;
		let least = Number.POSITIVE_INFINITY;
		for (const [id, {byHand}] of this.#named) {
			const {status} = this.of(id);
			const isSettled = status === undefined ? !byHand : this.#options.isOver(status);
			const worth = (byHand ? 2 : 0) + (isSettled ? 0 : 1);
			if (id === newest || worth >= least) continue;
			[oldest, least] = [id, worth];
			if (worth === 0) break;
		}
		if (oldest !== undefined) this.forget(oldest);
	}
}

/** The sentence about an id that was typed and that the service does not know. */
export function unknownWords(what: 'operation' | 'job', id: string): string {
	return `The service knows no ${what} with the id ${id}.`;
}
