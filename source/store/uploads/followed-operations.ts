import type {QueryClient} from '@tanstack/query-core';
import type {Client} from '../../client/client.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import type {SyncStatus} from '../../contract/sync-status.ts';
import {nameInEvent} from '../queries/event-log.ts';
import {FollowedById} from '../queries/followed.ts';
import type {Remembered} from '../state/remembered.ts';
import type {FollowedOperation} from './upload-entry.ts';

/** Operations that are kept. */
const most = {named: 200, looked: 200} as const;

/** Between two readings of an operation that is under way. */
const paces = {shown: 1500, behind: 6000} as const;

/** Fetched at once, at most. */
const mostAtOnce = 20;

/** Facts about an operation besides its status. */
type Facts = {
	name: string | undefined;
	repoId: string | undefined;
	/** Since when its state is what it is. */
	since: number;
	/** The same by the service's clock, and when it last answered; undefined where it tells no time. */
	serviceSince: number | undefined;
	answeredAt: number | undefined;
	/** Phase and end as they were last read; empty before. */
	mark: string;
};

/** Re-ingests that are followed by their operation: named by hand, or by events. */
export class FollowedOperations {
	readonly #followed: FollowedById<SyncStatus>;
	readonly #facts = new Map<string, Facts>();
	readonly #changed: () => void;
	readonly #remembered: Remembered;
	#isWatching = false;

	constructor({
		queries,
		client,
		remembered,
		changed,
		isUnknown,
	}: {
		queries: QueryClient;
		client: Pick<Client, 'syncStatus'>;
		remembered: Remembered;
		changed: () => void;
		/** Called for an id that was typed and that the service does not know: it is followed no more. */
		isUnknown: (operationId: string) => void;
	}) {
		this.#changed = changed;
		this.#remembered = remembered;
		this.#followed = new FollowedById({
			queries,
			key: 'sync-status',
			read: async (id, signal) => {
				const {data, at} = await client.syncStatus(id, {signal});
				this.#factsOf(id).answeredAt = at;
				return data;
			},
			isOver: ({done}) => done,
			paces,
			most,
			isHeardOf: id => this.#factsOf(id).mark !== '',
			changed: id => {
				this.#note(id);
				changed();
			},
			lost: (id, {byHand}) => {
				this.#facts.delete(id);
				remembered.operationForgotten(id);
				if (byHand) isUnknown(id);
			},
		});
		remembered.state.subscribe(() => this.#takeUp());
	}

	/** Each of them was read by this run, or cannot be read. */
	get areCurrent(): boolean {
		return this.#followed.areCurrent;
	}

	/** Newest first; an operation that an event named and that was not read is none. */
	entries(): readonly FollowedOperation[] {
		return [...this.#followed.named]
			.flatMap(([operationId, {byHand}]): FollowedOperation[] => {
				const {status, error} = this.#followed.of(operationId);
				if (!byHand && status === undefined) return [];
				const {name, repoId, since, serviceSince} = this.#factsOf(operationId);
				return [{operationId, name, repoId, since, serviceSince, status, trouble: error?.message}];
			})
			.reverse();
	}

	/** Reads them: quickly while their view shows, slowly behind another one, or not at all. */
	watch(how: 'shown' | 'behind' | 'not'): void {
		this.#followed.show(how === 'shown');
		this.#isWatching = how !== 'not';
		if (!this.#isWatching) {
			this.#followed.watchOnly([]);
			return;
		}
		// An operation that only an event has named is read when its turn comes: a storm names hundreds.
		for (const [id, {byHand}] of this.#followed.named) {
			if (byHand || this.#followed.of(id).status !== undefined) this.#followed.watch(id);
		}
	}

	setLive(isLive: boolean): void {
		this.#followed.setLive(isLive);
	}

	followByHand(operationId: string): void {
		this.#followed.name(operationId, {byHand: true});
		this.#remember(operationId);
		this.refetchOne(operationId);
		this.#changed();
	}

	/** Takes up the operations that an event names. @returns those to fetch again */
	heard(hint: EventHint): readonly string[] {
		const isOnly = hint.operations.length === 1;
		const repoId = hint.repos.length === 1 ? hint.repos[0] : undefined;
		for (const operationId of hint.operations) {
			const {byHand} = this.#followed.name(operationId, {byEvent: true});
			const facts = this.#factsOf(operationId);
			const {name} = facts;
			facts.name ??= isOnly ? nameInEvent(hint) : undefined;
			facts.repoId ??= isOnly ? repoId : undefined;
			// One that is listed already has a name now.
			if (byHand && facts.name !== name) this.#changed();
		}
		const {named} = this.#followed;
		return [...hint.operations, ...hint.others].filter(id => named.has(id) && !this.#followed.isOver(id));
	}

	/** Fetches one of them, unless nothing is read now. */
	refetchOne(operationId: string): void {
		if (!this.#isWatching || !this.#followed.named.has(operationId)) return;
		if (this.#followed.isWatched(operationId)) this.#followed.refetch([operationId]);
		else this.#followed.watch(operationId);
	}

	/** Fetches those that have not ended, the newest of them where they are many. */
	refetch(): void {
		for (const id of this.moving().slice(-mostAtOnce)) this.refetchOne(id);
	}

	/** Those that are watched and have not ended, oldest first. */
	moving(): readonly string[] {
		return this.#followed.moving();
	}

	/** Those of earlier runs. */
	#takeUp(): void {
		for (const {operationId, byHand, ...kept} of this.#remembered.state.getState().operations) {
			if (this.#followed.named.has(operationId)) continue;
			this.#followed.name(operationId, {byHand});
			const {name, repoId, since, state: mark = ''} = kept;
			Object.assign(this.#factsOf(operationId), {name, repoId, since, mark});
			if (this.#isWatching) this.#followed.watch(operationId);
		}
	}

	/** Notes when an operation moved. */
	#note(operationId: string): void {
		const {status} = this.#followed.of(operationId);
		if (!this.#followed.named.has(operationId)) return;
		const facts = this.#factsOf(operationId);
		const mark = status === undefined ? facts.mark : JSON.stringify([status.phase, status.done]);
		facts.serviceSince ??= facts.answeredAt;
		if (mark === facts.mark) return;
		Object.assign(facts, {mark, since: Date.now(), serviceSince: facts.answeredAt});
		this.#remember(operationId);
	}

	#remember(operationId: string): void {
		const {name, repoId, since, mark} = this.#factsOf(operationId);
		this.#remembered.operationFollowed({
			operationId,
			since,
			byHand: this.#followed.named.get(operationId)?.byHand ?? false,
			state: mark,
			...(name !== undefined && {name}),
			...(repoId !== undefined && {repoId}),
		});
	}

	#factsOf(operationId: string): Facts {
		const known = this.#facts.get(operationId);
		if (known !== undefined) return known;
		const facts: Facts = {
			name: undefined,
			repoId: undefined,
			since: Date.now(),
			serviceSince: undefined,
			answeredAt: undefined,
			mark: '',
		};
		this.#facts.set(operationId, facts);
		// Those of ids that are followed no more.
		for (const id of this.#facts.keys()) {
			if (this.#facts.size <= most.named) break;
			if (id !== operationId && !this.#followed.named.has(id)) this.#facts.delete(id);
		}
		return facts;
	}
}
