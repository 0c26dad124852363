import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import {ConcurrencyLimit} from '../../concurrency.ts';
import type {JobStatusResponse} from '../../contract/job-status.ts';
import {FollowedById, unknownWords} from '../queries/followed.ts';
import {type Freshness, isOfThisRun} from '../queries/freshness.ts';
import type {LocalKnowledge} from '../queries/local-document.ts';
import {Watched} from '../queries/polled.ts';
import {livePaceMs, unseenLivePaceMs} from '../queries/polling.ts';
import type {Notify} from '../state/notices.ts';
import type {Remembered} from '../state/remembered.ts';
import {JobActions} from './job-actions.ts';
import {hasEnded, type JobEntry, type JobKind, jobEntry} from './job-entry.ts';
import {type JobList, readJobs} from './job-list.ts';
import {type OpenedJob, OpenedJobWatch} from './opened-job.ts';

export type JobsKnown = {
	readonly jobs: readonly JobEntry[];
	readonly freshness: Freshness;
	readonly hasMore: boolean;
	readonly leftOut: number;
	/** The service can stop a fine-tune. */
	readonly canStop: boolean;
	/** All of it that is read was read by this run of the program. */
	readonly isCurrent: boolean;
};

type JobsFeedOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly local: StoreApi<LocalKnowledge>;
	readonly remembered: Remembered;
	readonly notify: Notify;
};

/** Between two readings of the list: while its view shows, and behind another one. */
const listPaces = {shown: 15_000, behind: 60_000} as const;

/** The same while events tell when to look. */
const livePaces = {shown: livePaceMs, behind: unseenLivePaceMs} as const;

/** Jobs that are read behind another view: those that run, and the newest of unknown status. */
const mostMinded = 4;

/** A list that was read just now is not read again because its view is opened. */
const justNowMs = 5000;

/** Between two readings of a job that has not ended. */
const statusPaces = {shown: 3000, behind: 15_000} as const;

/** Ids that events named or the user typed, and statuses of listed jobs, that are kept. */
const mostKept = {named: 100, looked: 500} as const;

/** Statuses that are fetched at once. */
const mostAtOnce = 4;

type ReadStatus = {readonly kind: JobKind; readonly status: JobStatusResponse};

/** Every job that is known: listed, named by events, followed by hand. */
export class JobsFeed {
	readonly known: StoreApi<JobsKnown> = createStore(
		(): JobsKnown => ({
			jobs: [],
			freshness: {state: 'loading'},
			hasMore: false,
			leftOut: 0,
			canStop: false,
			isCurrent: false,
		}),
	);
	readonly opened: StoreApi<OpenedJob | undefined>;
	readonly actions: JobActions;
	readonly #options: JobsFeedOptions;
	readonly #list: Watched<JobList>;
	readonly #statuses: FollowedById<ReadStatus>;
	readonly #openedJob: OpenedJobWatch;
	#looked: readonly string[] = [];
	/** Named by events, and being read behind another view: each with the time of its last attempt before. */
	readonly #asked = new Map<string, number>();
	#watched = '';
	#isShown = false;
	#isBeside = false;
	#isLive = false;
	#isBegun = false;

	constructor(options: JobsFeedOptions) {
		this.#options = options;
		const {queries, client, local} = options;
		this.#list = new Watched<JobList>({
			queries,
			key: ['jobs'],
			read: async signal => {
				const list = await readJobs(client, signal);
				const abilities = local.getState().document?.abilities ?? [];
				if (!abilities.includes('augmentations')) return list;
				return {...list, augmentations: (await client.listAugmentations({signal})).data.items};
			},
			paceMs: () => {
				const {shown, behind} = this.#isLive && !this.#moves ? livePaces : listPaces;
				return this.#isShown ? shown : behind;
			},
		});
		const limit = new ConcurrencyLimit(mostAtOnce);
		this.#statuses = new FollowedById({
			queries,
			key: 'job-status',
			read: (id, signal) => limit.run(() => readStatus(client, id, this.#kindOf(id), signal), signal),
			isOver: ({status}) => hasEnded(status),
			paces: statusPaces,
			most: mostKept,
			isHeardOf: id => this.#kindOf(id) !== undefined || options.remembered.launchOf(id) !== undefined,
			changed: () => this.#publish(),
			lost: (id, {byHand}) => {
				this.#asked.delete(id);
				this.#looked = this.#looked.filter(each => each !== id);
				options.remembered.jobForgotten(id);
				if (byHand) options.notify('error', unknownWords('job', id));
			},
		});
		this.#openedJob = new OpenedJobWatch(queries, client);
		this.opened = this.#openedJob.known;
		this.actions = new JobActions({
			client,
			opened: this.opened,
			notify: options.notify,
			done: ({id}) => {
				this.#list.refetch();
				this.#statuses.refetch([id]);
				this.#openedJob.refetch();
			},
		});
		this.#list.known.subscribe(() => this.#publish());
		options.remembered.state.subscribe(() => this.#takeUp());
	}

	/** Reads behind other views too from now on: slowly, and only what may still change. */
	begin(): void {
		this.#isBegun = true;
		this.#list.watch();
		this.#publish();
	}

	/** True if jobs under way are on the screen: in their view, or beside the lake. */
	get isSeen(): boolean {
		return this.#isShown || this.#isBeside;
	}

	/** Says that what is under way shows beside the lake, or no longer does. */
	showBeside(isBeside: boolean): void {
		this.#isBeside = isBeside;
		this.#statuses.show(this.isSeen);
	}

	/** Reads while its view shows. */
	show(isShown: boolean): void {
		this.#isShown = isShown;
		const isNew = !this.#list.isWatched;
		if (isShown || this.#isBegun) this.#list.watch();
		else this.#list.leave();
		this.#list.paceChanged();
		this.#statuses.show(this.isSeen);
		if (!isShown) this.#openedJob.open(undefined);
		this.#watchStatuses();
		if (!isShown) return;
		if (!isNew) {
			this.#list.refetchIfOlder(justNowMs);
			this.#statuses.refetch();
		}
		this.#publish();
	}

	/** Says which jobs are on the screen: their statuses are read. */
	look(ids: readonly string[]): void {
		if (ids.length > 0) this.#looked = ids;
		this.#watchStatuses();
	}

	/** One job more is looked at. */
	lookAlso(id: string): void {
		if (!this.#looked.includes(id)) this.look([...this.#looked, id]);
	}

	/** Says which job is opened: what the embedded service knows of it besides is read. */
	open(job: JobEntry | undefined): void {
		const isLocal = this.#options.local.getState().document !== undefined;
		this.#openedJob.open(isLocal ? job : undefined);
	}

	/** Takes up jobs that an event names. @returns those that are to be read again, and whether the list is */
	heard({jobs, others, status}: EventHint): {readonly ids: readonly string[]; readonly list: boolean} {
		const known = new Map(this.known.getState().jobs.map(job => [job.id, job]));
		const unknown = jobs.filter(id => !known.has(id));
		for (const id of jobs) {
			if (!known.has(id) || this.#statuses.named.has(id)) this.#statuses.name(id, {byEvent: true});
		}
		// A job that has ended stays so, unless it is said to have begun again.
		const isOver = (id: string) => hasEnded(known.get(id) ?? {status: undefined});
		const beginsAgain = status !== undefined && !hasEnded({status});
		const ids = [...jobs, ...others.filter(id => known.has(id))];
		return {ids: beginsAgain ? ids : ids.filter(id => !isOver(id)), list: unknown.length > 0};
	}

	/** The jobs that are watched and have not ended. */
	moving(): readonly string[] {
		return this.#statuses.moving();
	}

	/** Fetches one job that an event has named, also behind another view. */
	refetchJob(id: string): void {
		if (this.#isShown || this.#isBegun) {
			this.#asked.set(id, this.#statuses.of(id).triedAt);
			this.#watchStatuses();
		}
		this.#statuses.refetch([id]);
	}

	/** True if it is known to be a fine-tune or an augmentation. */
	knowsKind(id: string): boolean {
		return (this.#statuses.of(id).status?.kind ?? this.#kindOf(id)) !== undefined;
	}

	/** Polls rarely while events announce changes. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		this.#list.paceChanged();
		this.#statuses.setLive(isLive);
	}

	refetchList(): void {
		this.#list.refetch();
	}

	follow(id: string): void {
		this.#statuses.name(id, {byHand: true});
		this.#options.remembered.jobFollowed({jobId: id, byHand: true});
		this.#publish();
		this.lookAlso(id);
	}

	refetch(): void {
		this.#list.refetch();
		this.#statuses.refetch();
		this.#openedJob.refetch();
	}

	end(): void {
		this.#isBegun = false;
		this.show(false);
	}

	/** Those that earlier runs followed. */
	#takeUp(): void {
		const kept = this.#options.remembered.state
			.getState()
			.jobs.filter(each => !this.#statuses.named.has(each.jobId));
		for (const {jobId, byHand} of kept) this.#statuses.name(jobId, {byHand});
		// A job that was launched from here has a name now.
		this.#publish();
	}

	/** Watches the jobs on the screen, and those whose end is reported. */
	#watchStatuses(): void {
		const looked = this.#isShown ? this.#looked : [];
		const ids = [...new Set([...looked, ...(this.#isBegun ? this.#minded() : []), ...this.#asked.keys()])];
		const watched = ids.join(' ');
		if (watched === this.#watched) return;
		this.#watched = watched;
		this.#statuses.watchOnly(ids);
	}

	#minded(): readonly string[] {
		const {jobs} = this.known.getState();
		const running = jobs.filter(job => job.status !== undefined && !hasEnded(job));
		const unknown = jobs.slice(0, mostMinded).filter(({status}) => status === undefined);
		return [...running, ...unknown].slice(0, mostMinded).map(({id}) => id);
	}

	/** A job runs whose list tells how far it is, which no event does: the embedded service's. */
	get #moves(): boolean {
		if (!this.#isShown || this.#options.local.getState().document === undefined) return false;
		return this.known.getState().jobs.some(job => job.status !== undefined && !hasEnded(job));
	}

	#kindOf(id: string): JobKind | undefined {
		const list = this.#list.known.getState().data;
		if (list?.items.some(({job_id}) => job_id === id)) return 'fine-tune';
		return list?.augmentations.some(({job_id}) => job_id === id) ? 'augmentation' : undefined;
	}

	#publish(): void {
		for (const [id, before] of this.#asked) {
			if (this.#statuses.of(id).triedAt !== before) this.#asked.delete(id);
		}
		const {data: list, freshness} = this.#list.known.getState();
		const listed = (items: readonly Readonly<Record<string, unknown>>[], kind: JobKind) =>
			items.map(item => this.#entry(String(item.job_id), kind, item));
		const jobs = [
			...listed(list?.augmentations ?? [], 'augmentation'),
			...listed(list?.items ?? [], 'fine-tune'),
		];
		const known = new Set(jobs.map(({id}) => id));
		const followed = [...this.#statuses.named]
			.filter(([id]) => !known.has(id))
			.map(([id, {byHand}]) => ({entry: this.#entry(id, undefined, undefined), byHand}))
			// An id that was read from an event by its shape may be of something else.
			.filter(({entry, byHand}) => byHand || entry.status !== undefined)
			.map(({entry}) => entry)
			.reverse();
		this.known.setState({
			jobs: runningFirst([...followed, ...jobs]),
			freshness,
			hasMore: list?.hasMore ?? false,
			leftOut: list?.leftOut ?? 0,
			canStop: this.#options.local.getState().document !== undefined,
		});
		this.#watchStatuses();
		// Only now are those watched whose statuses have to be read for that.
		const isCurrent = isOfThisRun(freshness) && this.#statuses.areCurrent;
		if (isCurrent !== this.known.getState().isCurrent) this.known.setState({isCurrent});
	}

	#entry(
		id: string,
		kind: JobKind | undefined,
		item: Readonly<Record<string, unknown>> | undefined,
	): JobEntry {
		const {status: read, error} = this.#statuses.of(id);
		const launch = this.#options.remembered.launchOf(id);
		return jobEntry(id, {
			kind: kind ?? read?.kind,
			item,
			status: read?.status,
			launch,
			trouble: error?.message,
		});
	}
}

/** If it is not known whether a job is a fine-tune or an augmentation, both are tried. */
async function readStatus(
	client: Pick<Client, 'finetuneStatus' | 'augmentationStatus'>,
	id: string,
	kind: JobKind | undefined,
	signal: AbortSignal,
): Promise<ReadStatus> {
	if (kind !== 'augmentation') {
		try {
			return {kind: 'fine-tune', status: (await client.finetuneStatus(id, {signal})).data};
		} catch (error) {
			const isOther = error instanceof ServiceError && error.status === 404;
			if (kind === 'fine-tune' || !isOther) throw error;
		}
	}
	return {kind: 'augmentation', status: (await client.augmentationStatus(id, {signal})).data};
}

/** Running jobs stand above ended ones; otherwise the service's order stays. */
function runningFirst(jobs: readonly JobEntry[]): readonly JobEntry[] {
	const isRunning = (job: JobEntry) => job.status !== undefined && !hasEnded(job);
	return [...jobs.filter(isRunning), ...jobs.filter(job => !isRunning(job))];
}
