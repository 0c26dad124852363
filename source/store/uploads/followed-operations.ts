import type {QueryClient} from '@tanstack/query-core';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import type {SyncStatus} from '../../contract/sync-status.ts';
import {nameInEvent} from '../queries/event-log.ts';
import {Watched} from '../queries/polled.ts';
import {sharedPaceMs} from '../queries/polling.ts';
import type {Remembered} from '../state/remembered.ts';
import type {FollowedOperation} from './upload-entry.ts';

/** How many operations are kept; the oldest go first of those that nothing more is expected of, and whose id no hand typed. */
const kept = 200;

/** Between two readings of an operation that is under way: while somebody looks, and while nobody does. */
const paces = {shown: 1500, behind: 6000} as const;

/** Read at one stroke, at most. */
const mostAtOnce = 20;

type Followed = {
	readonly watched: Watched<SyncStatus>;
	readonly byHand: boolean;
	/** An event has named it: a service that does not know it yet will. */
	isNamed: boolean;
	name: string | undefined;
	repoId: string | undefined;
	since: number;
	/** The same by the service's clock, and when it last answered; undefined where it tells no time. */
	serviceSince: number | undefined;
	answeredAt: number | undefined;
	mark: string;
};

/** Whether a refusal says that there is no such operation. */
function isNone({byHand, isNamed, mark}: Followed, status: number): boolean {
	// An id that was read from an event by its shape may be of something else.
	if (!byHand) return status < 500;
	// What was once read, or was heard of, is there: one that was just accepted may be unknown for a moment.
	return status === 404 && mark === '' && !isNamed;
}

/** Whether nothing more is expected of it: it has ended, or an event alone has named it. */
function isSettled({watched, byHand}: Followed): boolean {
	const {data} = watched.known.getState();
	return data === undefined ? !byHand : data.done;
}

/** Re-ingests that are followed by their operation: named by hand, or by events. */
export class FollowedOperations {
	readonly #queries: QueryClient;
	readonly #client: Pick<Client, 'syncStatus'>;
	readonly #changed: () => void;
	readonly #isUnknown: (operationId: string) => void;
	readonly #remembered: Remembered;
	/** Oldest first. */
	readonly #followed = new Map<string, Followed>();
	#isShown = false;
	#isLive = false;
	#isWatched = false;

	constructor(options: {
		queries: QueryClient;
		client: Pick<Client, 'syncStatus'>;
		remembered: Remembered;
		changed: () => void;
		/** Told of an operation that a hand named and that the service does not know: it is followed no more. */
		isUnknown: (operationId: string) => void;
	}) {
		this.#queries = options.queries;
		this.#client = options.client;
		this.#changed = options.changed;
		this.#isUnknown = options.isUnknown;
		this.#remembered = options.remembered;
		this.#remembered.state.subscribe(() => this.#takeUp());
	}

	/** Each of them was read by this run, or cannot be. */
	get areCurrent(): boolean {
		return [...this.#followed.values()].every(({watched}) => watched.isCurrent);
	}

	/** Newest first; an operation that an event named and that the service does not know is none. */
	entries(): readonly FollowedOperation[] {
		return [...this.#followed]
			.flatMap(([operationId, {watched, name, repoId, since, serviceSince, byHand}]): FollowedOperation[] => {
				const {data: status, error} = watched.known.getState();
				if (!byHand && status === undefined) return [];
				return [{operationId, name, repoId, since, serviceSince, status, trouble: error?.message}];
			})
			.reverse();
	}

	/** Reads them: quickly while somebody looks, slowly behind another view, or not at all. */
	watch(how: 'shown' | 'behind' | 'not'): void {
		this.#isShown = how === 'shown';
		this.#isWatched = how !== 'not';
		for (const {watched, byHand} of this.#followed.values()) {
			if (!this.#isWatched) watched.leave();
			else if (watched.isWatched) watched.paceChanged();
			else if (this.#isKnown(watched, byHand)) watched.watch();
		}
	}

	/** Whether events tell when to look: what is polled is polled rarely then. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		for (const {watched} of this.#followed.values()) if (watched.isWatched) watched.paceChanged();
	}

	/** What an event alone has named is read first when its turn comes: a storm names hundreds. */
	#isKnown(watched: Watched<SyncStatus>, byHand: boolean): boolean {
		return byHand || watched.known.getState().data !== undefined;
	}

	followByHand(operationId: string): void {
		this.#remember(operationId, this.#follow(operationId, {byHand: true}));
		this.read(operationId);
		this.#changed();
	}

	/** Takes up what an event names. @returns what is to be read again */
	heard(hint: EventHint): readonly string[] {
		const repoId = hint.repos.length === 1 ? hint.repos[0] : undefined;
		for (const operationId of hint.operations) {
			const followed = this.#follow(operationId, {byHand: false});
			followed.isNamed = true;
			const {name} = followed;
			followed.name ??= hint.operations.length === 1 ? nameInEvent(hint) : undefined;
			followed.repoId ??= hint.operations.length === 1 ? repoId : undefined;
			// One that is listed already has a name now.
			if (followed.byHand && followed.name !== name) this.#changed();
		}
		// What has ended stays so.
		return [...hint.operations, ...hint.others].filter(
			id => this.#followed.get(id)?.watched.isOver === false,
		);
	}

	/** Reads one of them, where somebody looks. */
	read(operationId: string): void {
		const watched = this.#followed.get(operationId)?.watched;
		if (watched === undefined || !this.#isWatched) return;
		if (watched.isWatched) watched.refetch();
		else watched.watch();
	}

	/** Reads those that still move again, the newest of them where they are many. */
	refetch(): void {
		for (const id of this.moving().slice(-mostAtOnce)) this.read(id);
	}

	/** Those that are watched and have not ended, oldest first. */
	moving(): readonly string[] {
		const moving = [...this.#followed].filter(
			([, {watched}]) => watched.isWatched && watched.known.getState().data?.done !== true,
		);
		return moving.map(([id]) => id);
	}

	/** Those of earlier runs. */
	#takeUp(): void {
		for (const {operationId, byHand, ...kept} of this.#remembered.state.getState().operations) {
			if (this.#followed.has(operationId)) continue;
			const followed = this.#follow(operationId, {byHand});
			followed.name = kept.name;
			followed.repoId = kept.repoId;
			followed.since = kept.since;
			followed.mark = kept.state ?? '';
			if (this.#isWatched) followed.watched.watch();
		}
	}

	#remember(operationId: string, {name, repoId, since, mark, byHand}: Followed): void {
		this.#remembered.operationFollowed({
			operationId,
			since,
			byHand,
			state: mark,
			...(name !== undefined && {name}),
			...(repoId !== undefined && {repoId}),
		});
	}

	#follow(operationId: string, {byHand}: {byHand: boolean}): Followed {
		const known = this.#followed.get(operationId);
		if (known !== undefined && (known.byHand || !byHand)) return known;
		known?.watched.leave();
		const watched = new Watched<SyncStatus>({
			queries: this.#queries,
			key: ['sync-status', operationId],
			read: async signal => {
				const {data, at} = await this.#client.syncStatus(operationId, {signal});
				followed.answeredAt = at;
				return data;
			},
			paceMs: status => {
				if (status?.done) return false;
				const pace = this.#isShown ? paces.shown : paces.behind;
				return sharedPaceMs(pace, this.moving().length, {isLive: this.#isLive, isShown: this.#isShown});
			},
			isOver: ({done}) => done,
		});
		const followed: Followed = {
			watched,
			byHand,
			isNamed: known !== undefined,
			name: known?.name,
			repoId: known?.repoId,
			since: known?.since ?? Date.now(),
			serviceSince: known?.serviceSince,
			answeredAt: undefined,
			mark: known?.mark ?? '',
		};
		watched.known.subscribe(({data, error}) => {
			const mark = data === undefined ? followed.mark : JSON.stringify([data.phase, data.done]);
			if (mark !== followed.mark) followed.serviceSince = followed.answeredAt;
			followed.serviceSince ??= followed.answeredAt;
			if (mark !== followed.mark) {
				followed.since = Date.now();
				followed.mark = mark;
				this.#remember(operationId, followed);
			}
			if (error instanceof ServiceError && isNone(followed, error.status)) {
				this.#forget(operationId);
				this.#remembered.operationForgotten(operationId);
				if (byHand) this.#isUnknown(operationId);
			}
			this.#changed();
		});
		this.#followed.set(operationId, followed);
		if (this.#followed.size > kept) this.#dropOldest(operationId);
		return followed;
	}

	#dropOldest(newest: string): void {
		let oldest: string | undefined;
		let least = Number.POSITIVE_INFINITY;
		for (const [id, followed] of this.#followed) {
			const worth = (followed.byHand ? 2 : 0) + (isSettled(followed) ? 0 : 1);
			if (id === newest || worth >= least) continue;
			[oldest, least] = [id, worth];
			if (worth === 0) break;
		}
		if (oldest !== undefined) this.#forget(oldest);
	}

	#forget(operationId: string): void {
		this.#followed.get(operationId)?.watched.forget();
		this.#followed.delete(operationId);
	}
}
