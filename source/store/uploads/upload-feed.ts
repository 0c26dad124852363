import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {OutcomeUnknownError} from '../../client/errors.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import type {UploadListResponse} from '../../contract/local-uploads.ts';
import {unknownWords} from '../queries/followed.ts';
import {type Freshness, isOfThisRun} from '../queries/freshness.ts';
import type {LocalKnowledge, LocalWatch} from '../queries/local-document.ts';
import {Watched} from '../queries/polled.ts';
import {livePaceMs, unseenLivePaceMs} from '../queries/polling.ts';
import type {Notice} from '../state/notices.ts';
import type {Remembered} from '../state/remembered.ts';
import {ComposedSummaries} from './composed-summaries.ts';
import {FollowedOperations} from './followed-operations.ts';
import {IngestProblems} from './ingest-problems.ts';
import {
	dismissal,
	dismissOutcome,
	entryOfOperation,
	entryOfRecord,
	seenThrough,
	type UploadEntry,
} from './upload-entry.ts';

export type UploadFeedKnown = {
	/** The entry that moved last comes first. */
	readonly entries: readonly UploadEntry[];
	/** The service has a list of its uploads; undefined while unknown. */
	readonly hasList: boolean | undefined;
	/** How fresh the list is; undefined where there is none. */
	readonly freshness: Freshness | undefined;
	/** All of it was read by this run of the program. */
	readonly isCurrent: boolean;
};

type UploadFeedOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<
		Client,
		'listUploads' | 'ingestRecord' | 'composition' | 'syncStatus' | 'dismissUpload'
	>;
	readonly local: StoreApi<LocalKnowledge>;
	/** True if the service can do something beside the interface. */
	readonly can: LocalWatch['can'];
	readonly remembered: Remembered;
	readonly notify: (kind: Notice['kind'], text: string) => void;
};

/** Between two readings of the list, while something moves and while nothing does: looked at, and behind another view. */
const paces = {shown: {moving: 1000, calm: 10_000}, behind: {moving: 5000, calm: 60_000}} as const;

/** A list that was read just now is not read again because its view is opened. */
const justNowMs = 5000;

/** Every upload and re-ingest that is known: from the service's own list, from events, and followed by hand. */
export class UploadFeed {
	readonly known: StoreApi<UploadFeedKnown> = createStore(
		(): UploadFeedKnown => ({entries: [], hasList: undefined, freshness: undefined, isCurrent: false}),
	);
	readonly #options: UploadFeedOptions;
	readonly #list: Watched<UploadListResponse | null>;
	readonly #operations: FollowedOperations;
	readonly #problems: IngestProblems;
	readonly #composed: ComposedSummaries;
	readonly #stops: (() => void)[] = [];
	/** Asked for by their ids in this run, and whether it was said that they had been dismissed: they show again. */
	readonly #asked = new Map<string, boolean>();
	#isShown = false;
	#isBeside = false;
	#isBegun = false;
	#isLive = false;

	constructor(options: UploadFeedOptions) {
		this.#options = options;
		const {queries, client} = options;
		this.#list = new Watched<UploadListResponse | null>({
			queries,
			key: ['uploads'],
			read: async signal => {
				if (!(await options.can('uploads', signal))) return null;
				return (await client.listUploads({}, {signal})).data;
			},
			paceMs: list => {
				if (list === null) return false;
				const {moving, calm} = this.#isShown ? paces.shown : paces.behind;
				if (list?.items.some(({done}) => !done)) return moving;
				if (!this.#isLive) return calm;
				return this.#isShown ? livePaceMs : unseenLivePaceMs;
			},
		});
		const {remembered} = options;
		const changed = () => this.#publish();
		this.#operations = new FollowedOperations({
			queries,
			client,
			remembered,
			changed,
			isUnknown: operationId => this.#notifyUnknown(operationId),
		});
		this.#problems = new IngestProblems(client, changed);
		this.#composed = new ComposedSummaries(client, changed);
		this.#stops.push(
			this.#list.known.subscribe(() => this.#publish()),
			// How much an ingest found broken is told there.
			options.local.subscribe(() => this.#publish()),
		);
	}

	/** Reads behind other views too from now on: slowly. */
	begin(): void {
		this.#isBegun = true;
		this.#watch();
	}

	/** True if uploads under way are on the screen: in their view, or beside the lake. */
	get isSeen(): boolean {
		return this.#isShown || this.#isBeside;
	}

	/** Says that what is under way shows beside the lake, or no longer does. */
	showBeside(isBeside: boolean): void {
		this.#isBeside = isBeside;
	}

	/** Reads while its view shows. */
	show(isShown: boolean): void {
		this.#isShown = isShown;
		const isNew = !this.#list.isWatched;
		this.#watch();
		if (!isShown) return;
		if (!isNew) {
			this.#list.refetchIfOlder(justNowMs);
			this.#operations.refetch();
		}
		this.#publish();
	}

	/** Takes up the operations that an event names. @returns those that are to be read again */
	heard(hint: EventHint): readonly string[] {
		// Uploads that the service lists itself are found there.
		return this.known.getState().hasList === true ? [] : this.#operations.heard(hint);
	}

	/** Fetches one operation again, unless nothing is read now. */
	refetchOperation(operationId: string): void {
		this.#operations.refetchOne(operationId);
	}

	follow(operationId: string): void {
		this.#asked.set(operationId, false);
		this.#operations.followByHand(operationId);
	}

	/** Reads what the ingest of an entry found broken, and what a composition made. */
	lookInto(entry: UploadEntry): void {
		void this.#problems.look(entry);
		void this.#composed.look(entry);
	}

	refetch(): void {
		this.refetchList();
		this.#operations.refetch();
	}

	refetchList(): void {
		this.#list.refetch();
	}

	/** The operations that are watched one by one and have not ended. */
	moving(): readonly string[] {
		return this.#operations.moving();
	}

	/** Polls rarely while events announce changes. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		this.#list.paceChanged();
		this.#operations.setLive(isLive);
	}

	/** Has a failed upload listed no more; `seen` are the entries on the screen when the key was pressed. */
	async dismiss(entry: UploadEntry, seen: readonly UploadEntry[]): Promise<void> {
		const {client, notify} = this.#options;
		const may = dismissal(entry);
		if (!may.ok) return notify('warning', may.reason);
		const {repoId} = may;
		const through = seenThrough(seen, repoId);
		const name = entry.name ?? 'The upload';
		try {
			const {data} = await client.dismissUpload(repoId, {dismissed_through_unix: through});
			const {kept, phase} = dismissOutcome(data);
			if (kept) notify('warning', `${name} stays: it is ${phase ?? 'newer than what was shown'} now.`);
			else {
				for (const each of seen) if (each.repoId === repoId) this.#asked.delete(each.operationId ?? '');
				// By this machine's clock, as entries that events told of have their moments.
				const here = Math.max(0, ...seen.filter(each => each.repoId === repoId).map(each => each.updatedAt));
				this.#options.remembered.dismissed({repoId, through: here + 1});
				notify('info', `${name} is dismissed; the record of its failure is kept.`);
			}
		} catch (error) {
			const isUnknown = error instanceof OutcomeUnknownError;
			const reason = error instanceof Error ? error.message : String(error);
			notify('error', isUnknown ? `Outcome unknown: ${reason}` : reason);
		}
		// The service's list settles it.
		this.refetch();
		this.#publish();
	}

	stop(): void {
		this.#isBegun = false;
		this.show(false);
		for (const stop of this.#stops.splice(0)) stop();
	}

	/** An operation that the service lists exists all the same. */
	#notifyUnknown(operationId: string): void {
		const items = this.#list.known.getState().data?.items ?? [];
		if (items.some(({operation_id, upload_id}) => [operation_id, upload_id].includes(operationId))) return;
		this.#options.notify('error', unknownWords('operation', operationId));
	}

	#watch(): void {
		if (!this.#isShown && !this.#isBegun) this.#list.leave();
		else if (this.#list.isWatched) this.#list.paceChanged();
		else this.#list.watch();
		this.#operations.watch(this.#isShown ? 'shown' : this.#isBegun ? 'behind' : 'not');
	}

	#publish(): void {
		const {data: list, freshness} = this.#list.known.getState();
		const ingests = new Map(this.#options.local.getState().ingests.map(each => [each.operation_id, each]));
		const listed = (list?.items ?? [])
			.filter(({suppressed}) => !suppressed)
			.map(record => {
				const count = ingests.get(record.operation_id ?? '')?.problem_count ?? 0;
				const id = record.operation_id ?? undefined;
				return entryOfRecord(record, count, this.#problems.of(id), this.#composed.of(id));
			});
		const known = new Set(listed.map(({operationId}) => operationId));
		const followed = this.#operations
			.entries()
			.filter(({operationId}) => !known.has(operationId))
			.map(entryOfOperation)
			.filter(entry => !this.#isDismissed(entry) || this.#showsAgain(entry));
		const entries = [...listed, ...followed].sort((a, b) => b.updatedAt - a.updatedAt);
		const hasList = list === undefined ? undefined : list !== null;
		this.known.setState({
			entries,
			hasList,
			freshness: list === null ? undefined : freshness,
			isCurrent: isOfThisRun(freshness) && this.#operations.areCurrent,
		});
	}

	/** An entry that was asked for by its id shows, dismissed or not. */
	#showsAgain({operationId = '', name}: UploadEntry): boolean {
		const isSaid = this.#asked.get(operationId);
		if (isSaid === false) {
			this.#asked.set(operationId, true);
			this.#options.notify(
				'info',
				`${name ?? `The operation ${operationId}`} failed and was dismissed; it shows again because you asked for it.`,
			);
		}
		return isSaid !== undefined;
	}

	#isDismissed({phase, repoId, updatedAt}: UploadEntry): boolean {
		if (phase !== 'failed') return false;
		const {dismissed} = this.#options.remembered.state.getState();
		return dismissed.some(each => each.repoId === repoId && updatedAt < each.through);
	}
}
