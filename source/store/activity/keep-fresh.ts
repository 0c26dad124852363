import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {type Clock, systemClock} from '../../client/clock.ts';
import {type EventHint, namesSomething} from '../../client/events/event-hint.ts';
import type {Catalog} from '../artifacts/catalog.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import {hasEnded} from '../jobs/job-entry.ts';
import type {JobsFeed} from '../jobs/jobs-feed.ts';
import {LiveStream} from '../queries/event-stream.ts';
import {isMoving, type LocalWatch} from '../queries/local-document.ts';
import {paceFor, unseenLivePaceMs} from '../queries/polling.ts';
import {Recovery} from '../queries/recovery.ts';
import type {UserState, ViewId} from '../state/user-state.ts';
import type {UploadFeed} from '../uploads/upload-feed.ts';

type KeepFreshOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<UserState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly catalog: Catalog;
};

/** Phases of a re-ingest that are its end. */
const endPhases: ReadonlySet<string> = new Set(['finalized', 'failed']);

/** The embedded service's lists are two, where the document knows one. */
const listFetches = 2;

/** Data read this shortly before the stream began is not read again. */
const justReadMs = 5000;

/**
 * Has what is known fetched again when events say so, and by itself at the pace that fits what moves. What shows is
 * brought up to date once in two seconds, however many events come; what does not show waits, one thing at a time, and is
 * read when its view is opened.
 */
export class KeepFresh {
	readonly stream: LiveStream;
	readonly #known: KeepFreshOptions;
	readonly #seen = new PacedFetches();
	readonly #recovery: Recovery;
	readonly #unseen = new PacedFetches({gapMs: unseenGapMs});
	readonly #stops: (() => void)[];
	#unseenListedAt = 0;

	constructor(options: KeepFreshOptions) {
		this.#known = options;
		const {state, window, queries, catalog} = options;
		this.#recovery = new Recovery({
			queries,
			wakeOthers: () => {
				catalog.wake();
				this.stream.refetch();
			},
		});
		this.stream = new LiveStream(options.client, {
			hint: hint => {
				this.#heard(hint);
				this.#refetch(concernsOf(hint));
				// An upload or a job that ended has made another dataset or model.
				this.#wishForCatalog();
			},
			missed: isFirst => this.#refetchAll(isFirst),
		});
		this.#stops = [
			state.subscribe(({view}, {view: before}) => {
				if (view !== before) this.#takeUp(view);
			}),
			window.result.subscribe(({freshness}, {freshness: before}) => {
				// It may be another service that is back at that address.
				if (before.state === 'offline' && freshness.state === 'fresh') options.local.refetch();
			}),
			this.stream.state.subscribe(({phase}, {phase: before}) => {
				if ((phase === 'live') !== (before === 'live')) this.setPace();
				if (phase === 'live') this.#recovery.answered('stream');
				if (phase === 'waiting' || phase === 'stopped') this.#recovery.failed('stream');
			}),
			...[catalog.datasets, catalog.models, catalog.projects].map(({known, listing}) =>
				known.subscribe(({freshness}, {freshness: before}) => {
					if (freshness === before || freshness.state === 'loading') return;
					if (freshness.state === 'fresh') this.#recovery.answered(listing.list);
					else if (!freshness.isFromLastSession) this.#recovery.failed(listing.list);
				}),
			),
		];
	}

	/** Sets the pace that fits what is known. */
	setPace(): void {
		const {local, window, uploads, jobs, catalog} = this.#known;
		const isLive = this.stream.state.getState().phase === 'live';
		for (const each of [local, uploads, jobs, catalog]) each.setLive(isLive);
		const isShown = this.#view === 'explore';
		window.setPace(paceFor({isLive, isMoving: isMoving(local.known.getState()), isShown}));
	}

	/** The lake is another one: its episodes are read again. */
	lakeChanged(): void {
		const {window} = this.#known;
		this.#fetches(this.#view === 'explore').wish('lake', () => window.refetch('event'));
	}

	stop(): void {
		for (const stop of this.#stops.splice(0)) stop();
		this.#recovery.stop();
		this.stream.stop();
		this.#seen.stop();
		this.#unseen.stop();
	}

	get #view(): ViewId {
		return this.#known.state.getState().view;
	}

	#fetches(isSeen: boolean): PacedFetches {
		return isSeen ? this.#seen : this.#unseen;
	}

	/** A view is opened: what was wished for it meanwhile is read now. */
	#takeUp(view: ViewId): void {
		this.setPace();
		if (view === 'explore' && this.#unseen.drop('lake')) this.lakeChanged();
		// These read themselves when they are shown, though not where they were read a moment before what was wished for.
		if (view === 'uploads' && this.#unseen.drop('uploads')) this.#wishForUploads();
		if (view === 'jobs' && this.#unseen.drop('job list')) this.#wishForJobList();
	}

	/** Takes up what an event names, and fetches again what is known of it, within bounds. */
	#heard(hint: EventHint): void {
		const {uploads, jobs} = this.#known;
		const ends = hasEnded({status: hint.status}) || endPhases.has(hint.phase ?? '');
		for (const id of uploads.heard(hint)) this.#wishForOperation(id, ends && uploads.moving().includes(id));
		const {ids, list} = jobs.heard(hint);
		for (const id of ids) this.#wishForJob(id, ends && jobs.moving().includes(id));
		if (list) this.#wishForJobList();
	}

	/** @param isNews it is told in every view that something which was under way has ended */
	#wishForJob(id: string, isNews = false): void {
		const {jobs} = this.#known;
		// If the job's kind is unknown, both endpoints are tried.
		this.#fetches(jobs.isSeen || isNews).wish(
			`job ${id}`,
			() => jobs.refetchJob(id),
			jobs.knowsKind(id) ? 1 : 2,
		);
	}

	#wishForJobList(): void {
		const {jobs, local} = this.#known;
		const fetches = local.known.getState().isOther ? 1 : listFetches;
		this.#fetches(jobs.isSeen).wish('job list', () => jobs.refetchList(), fetches);
	}

	#wishForOperation(id: string, isNews = false): void {
		const {uploads} = this.#known;
		this.#fetches(uploads.isSeen || isNews).wish(`operation ${id}`, () => uploads.refetchOperation(id));
	}

	#wishForUploads(): void {
		const {uploads} = this.#known;
		// Without a list there are the operations alone.
		if (uploads.known.getState().hasList === false) return;
		this.#fetches(uploads.isSeen).wish('uploads', () => uploads.refetchList());
	}

	/** Of these only what shows is ever read. */
	#wishForCatalog(): void {
		const {catalog} = this.#known;
		if (catalog.isShown) this.#seen.wish('catalog', () => catalog.refetchFirst());
	}

	/** Fetches again what an event says may be old, within bounds. */
	#refetch({lake, uploads}: Pick<Concerns, 'lake' | 'uploads'>): void {
		if (lake) this.lakeChanged();
		if (!uploads) return;
		const {local} = this.#known;
		// Ingests under way show in every view.
		if (local.isEmbedded) this.#seen.wish('local', () => local.refetchIngests());
		this.#wishForUploads();
	}

	/** Events may have been missed. */
	#refetchAll(isFirst: boolean): void {
		const {window, local, uploads, jobs} = this.#known;
		const {freshness} = window.result.getState();
		const now = Date.now();
		// A stream that breaks off again and again has many gaps.
		const isUnseenDue = now - this.#unseenListedAt > unseenLivePaceMs;
		if (isUnseenDue) this.#unseenListedAt = now;
		// Data read this recently is still current.
		if (isFirst && freshness.state === 'fresh' && now - freshness.at < justReadMs) return;
		// Its totals stand above every view.
		this.#seen.wish('lake', () => window.refetch('event'));
		if (local.isEmbedded) this.#seen.wish('local', () => local.refetchIngests());
		this.#wishForCatalog();
		if (uploads.isSeen || isUnseenDue) {
			this.#wishForUploads();
			for (const id of uploads.moving()) this.#wishForOperation(id);
		}
		if (jobs.isSeen || isUnseenDue) {
			this.#wishForJobList();
			for (const id of jobs.moving()) this.#wishForJob(id);
		}
	}
}

/** Which parts of what is known an event may have made old. */
type Concerns = {readonly lake: boolean; readonly uploads: boolean; readonly jobs: boolean};

const all: Concerns = {lake: true, uploads: true, jobs: true};

/** Phases in which nothing has reached the lake yet; an unknown one may mean anything. */
const onTheWay: ReadonlySet<string> = new Set(['staging', 'queued', 'preparing', 'publishing', 'running']);

/** Reads from an event what to fetch again; one that says nothing is a hint to look at everything. */
export function concernsOf(hint: EventHint): Concerns {
	if (!namesSomething(hint)) return all;
	const {jobs, operations, uploads, datasets, repos, others, phase, status} = hint;
	// An id under a name that says nothing may be anybody's.
	if ([jobs, operations, uploads, datasets, repos].every(ids => ids.length === 0) && others.length > 0) {
		return all;
	}
	const ofUploads = operations.length + uploads.length + repos.length > 0;
	const ofDatasets = ofUploads || datasets.length > 0;
	const ofJobs = jobs.length > 0;
	// A job's progress does not change the lake; the ingest of its result announces itself.
	const isOnTheWay = onTheWay.has(phase ?? status ?? '');
	return {lake: ofDatasets && !ofJobs && !isOnTheWay, uploads: ofDatasets, jobs: ofJobs};
}

/**
 * Between two fetches that events gave the hint for: three a second, however many events come. With what is polled
 * beside a live stream these are four at most.
 */
const fetchGapMs = 334;

/** Between two fetches of the same thing for that reason: what shows is brought up to date once in two seconds. */
const sameGapMs = 2000;

/** Between two fetches of what does not show, whatever it is. */
const unseenGapMs = 15_000;

/** Things wished for at once; beyond, the oldest wish is left to polling. */
const mostWishes = 200;

type Wish = {readonly run: () => void; readonly from: number; readonly fetches: number};

/**
 * Fetches to make soon: one that is wished for many times is made once, the first at once, and all
 * of them within bounds.
 */
export class PacedFetches {
	readonly #clock: Clock;
	readonly #gapMs: number;
	readonly #wishes = new Map<string, Wish>();
	readonly #lastAt = new Map<string, number>();
	#freeAt = 0;
	#callOff: (() => void) | undefined;

	/** @param options.gapMs between two fetches, whatever they are of */
	constructor({clock = systemClock, gapMs = fetchGapMs}: {clock?: Clock; gapMs?: number} = {}) {
		this.#clock = clock;
		this.#gapMs = gapMs;
	}

	/**
	 * Wishes for a thing by its name; the newest way of fetching it counts.
	 *
	 * @param fetches how many requests that may take
	 */
	wish(name: string, run: () => void, fetches = 1): void {
		const from = (this.#lastAt.get(name) ?? Number.NEGATIVE_INFINITY) + sameGapMs;
		this.#wishes.set(name, {run, from, fetches});
		const [oldest] = this.#wishes.keys();
		if (this.#wishes.size > mostWishes && oldest !== undefined) this.#wishes.delete(oldest);
		this.#plan();
	}

	/** Forgets a wish. @returns whether there was one */
	drop(name: string): boolean {
		return this.#wishes.delete(name);
	}

	/** Forgets what is wished for. */
	stop(): void {
		this.#callOff?.();
		this.#callOff = undefined;
		this.#wishes.clear();
	}

	#plan(): void {
		if (this.#callOff !== undefined || this.#wishes.size === 0) return;
		const soonest = Math.min(...[...this.#wishes.values()].map(({from}) => from));
		const at = Math.max(this.#freeAt, soonest);
		this.#callOff = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
			this.#callOff = undefined;
			this.#take();
			this.#plan();
		});
	}

	#take(): void {
		const now = this.#clock.now();
		const next = [...this.#wishes].find(([, {from}]) => from <= now);
		if (next === undefined) return;
		const [name, {run, fetches}] = next;
		this.#wishes.delete(name);
		// Bounded by age alone, the map would grow with every job.
		for (const [other, at] of this.#lastAt) if (now - at > sameGapMs) this.#lastAt.delete(other);
		this.#lastAt.set(name, now);
		this.#freeAt = now + this.#gapMs * fetches;
		run();
	}
}
