import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import type {Catalog} from '../catalog.ts';
import type {EpisodeWindow} from '../episode-window.ts';
import type {ExplorerState, ViewId} from '../explorer-state.ts';
import {hasEnded} from '../jobs/job-entry.ts';
import type {JobsFeed} from '../jobs/jobs-feed.ts';
import {isMoving, type LocalWatch} from '../local-watch.ts';
import {paceFor, unseenLivePaceMs} from '../polling.ts';
import type {UploadFeed} from '../uploads/upload-feed.ts';
import {type Concerns, concernsOf} from './concerns.ts';
import {LiveStream} from './live-stream.ts';
import {PacedFetches, unseenGapMs} from './paced-fetches.ts';
import {Recovery} from './recovery.ts';

type KeepFreshOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
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

/** What was read so shortly before the stream began is not read again for that. */
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
				this.stream.lookAgain();
			},
		});
		this.stream = new LiveStream(options.client, {
			hint: hint => {
				this.#heard(hint);
				this.#lookAgain(concernsOf(hint));
				// What an upload or a job came to is a dataset or a model more.
				this.#wishForCatalog();
			},
			missed: isFirst => this.#listAgain(isFirst),
		});
		this.#stops = [
			state.subscribe(({view}, {view: before}) => {
				if (view !== before) this.#takeUp(view);
			}),
			window.result.subscribe(({freshness}, {freshness: before}) => {
				// It may be another service that is back at that address.
				if (before.state === 'offline' && freshness.state === 'fresh') options.local.askAgain();
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
		this.#lane(this.#view === 'explore').wish('lake', () => window.refresh('event'));
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

	#lane(isSeen: boolean): PacedFetches {
		return isSeen ? this.#seen : this.#unseen;
	}

	/** A view is opened: what was wished for it meanwhile is read now. */
	#takeUp(view: ViewId): void {
		this.setPace();
		if (view === 'explore' && this.#unseen.drop('lake')) this.lakeChanged();
		// These read themselves when they are shown.
		if (view === 'uploads') this.#unseen.drop('uploads');
		if (view === 'jobs') this.#unseen.drop('job list');
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
		// A job of which nobody knows what it is, is asked for as both.
		this.#lane(jobs.isSeen || isNews).wish(`job ${id}`, () => jobs.readJob(id), jobs.knowsKind(id) ? 1 : 2);
	}

	#wishForJobList(): void {
		const {jobs, local} = this.#known;
		const fetches = local.known.getState().isOther ? 1 : listFetches;
		this.#lane(jobs.isSeen).wish('job list', () => jobs.readList(), fetches);
	}

	#wishForOperation(id: string, isNews = false): void {
		const {uploads} = this.#known;
		this.#lane(uploads.isSeen || isNews).wish(`operation ${id}`, () => uploads.readOperation(id));
	}

	#wishForUploads(): void {
		const {uploads} = this.#known;
		// Without a list there are the operations alone.
		if (uploads.known.getState().hasList === false) return;
		this.#lane(uploads.isSeen).wish('uploads', () => uploads.readList());
	}

	/** Of these only what shows is ever read. */
	#wishForCatalog(): void {
		const {catalog} = this.#known;
		if (catalog.isShown) this.#seen.wish('catalog', () => catalog.lookNow());
	}

	/** Fetches again what an event says may be old, within bounds. */
	#lookAgain({lake, uploads}: Pick<Concerns, 'lake' | 'uploads'>): void {
		if (lake) this.lakeChanged();
		if (!uploads) return;
		const {local} = this.#known;
		// What is being taken in shows in every view.
		if (local.isEmbedded) this.#seen.wish('local', () => local.lookAgain());
		this.#wishForUploads();
	}

	/** Something may have happened that nobody told of. */
	#listAgain(isFirst: boolean): void {
		const {window, local, uploads, jobs} = this.#known;
		const {freshness} = window.result.getState();
		const now = Date.now();
		// A stream that breaks off again and again has many gaps.
		const isUnseenDue = now - this.#unseenListedAt > unseenLivePaceMs;
		if (isUnseenDue) this.#unseenListedAt = now;
		// What was read so shortly before is taken to be as it is now.
		if (isFirst && freshness.state === 'fresh' && now - freshness.at < justReadMs) return;
		// Its totals stand above every view.
		this.#seen.wish('lake', () => window.refresh('event'));
		if (local.isEmbedded) this.#seen.wish('local', () => local.lookAgain());
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
