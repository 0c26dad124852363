import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import type {Filter} from '../query/filter.ts';
import type {ActivityMonitor} from './activity/activity-monitor.ts';
import type {Catalog} from './artifacts/catalog.ts';
import type {EpisodeWindow} from './episodes/episode-window.ts';
import type {EvidenceWatch} from './episodes/evidence-watch.ts';
import type {SortController} from './episodes/sort.ts';
import {Episodes} from './episodes.ts';
import type {ExplorerState} from './explorer-state.ts';
import type {Exporter} from './export/exporter.ts';
import type {ServiceName} from './export/shell-lines.ts';
import type {Explanation} from './filter/explain-empty.ts';
import type {FilterLine} from './filter/filter-line.ts';
import type {FinetuneController} from './finetune/finetune-controller.ts';
import {takeUpOutbox} from './finetune/take-up-outbox.ts';
import type {JobsFeed} from './jobs/jobs-feed.ts';
import {Outgoing} from './outgoing.ts';
import type {PictureWatch} from './pictures/picture-watch.ts';
import type {LiveStream} from './queries/event-stream.ts';
import {exampleId, isId} from './queries/link.ts';
import {LocalWatch} from './queries/local-document.ts';
import type {ReviewController} from './reviews/review-controller.ts';
import {SavedViews} from './saved-views/saved-views.ts';
import type {SelectionController} from './selection/selection-controller.ts';
import type {Plots} from './series/plots.ts';
import {ServiceFeeds} from './service-feeds.ts';
import {Places, recorded} from './state/history.ts';
import type {ListId} from './state/list-location.ts';
import {type Message, NoticeList, type Notify} from './state/notices.ts';
import type {Outbox} from './state/outbox.ts';
import {Remembered} from './state/remembered.ts';
import {noticesChanged} from './state/transitions.ts';
import type {UndoSteps} from './state/undo-steps.ts';
import {asked} from './state/view-transitions.ts';
import type {WorkList} from './state/work.ts';
import type {OwnUploads} from './uploads/own-uploads.ts';
import type {UploadFeed} from './uploads/upload-feed.ts';
import type {Uploader} from './uploads/uploader.ts';

export type ExplorerOptions = {
	readonly client: Client;
	/** Cache of the service's answers; the explorer clears it when it stops. */
	readonly queries: QueryClient;
	/** The state to begin with. */
	readonly state: ExplorerState;
	/** Nothing is sent that changes something. @default false */
	readonly readOnly?: boolean;
	/** Sends datasets of this machine; without it none are sent. */
	readonly uploader?: Uploader | undefined;
	/** How the service is named outside of the explorer. @default by nothing */
	readonly serviceName?: ServiceName;
	/** Messages of the explorer that this one replaces. */
	readonly messages?: readonly Message[];
	/** Outlives this run. @default nothing is remembered */
	readonly remembered?: Remembered;
	/** The service is the embedded one of this program. @default false */
	readonly isOwn?: boolean;
};

type Change = (state: ExplorerState) => ExplorerState;

/** Composes the features of the store: what is known, what the user is at, and what changes either. Knows nothing of React. */
export class Explorer {
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly evidence: EvidenceWatch;
	readonly live: LiveStream;
	readonly activityMonitor: ActivityMonitor;
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly catalog: Catalog;
	/** The sources of the lists; that of events is the stream. */
	readonly feeds: ServiceFeeds['ofLists'];
	readonly places: Places;
	/** In which order the episodes are. */
	readonly sort: SortController;
	/** Counts, suggestions and problems while a filter is typed. */
	readonly filterLine: FilterLine;
	/** Why a filter lets nothing through. */
	readonly explanation: Explanation;
	/** An episode over time. */
	readonly plots: Plots;
	/** How an episode looked. */
	readonly pictures: PictureWatch;
	readonly selection: SelectionController;
	/** Decisions of people about episodes. */
	readonly reviews: ReviewController;
	/** Takes back what was marked or dropped, the newest first. */
	readonly undo: UndoSteps;
	readonly exports: Exporter;
	readonly savedViews: SavedViews;
	/** Work that this program does itself. */
	readonly work: WorkList;
	/** Uploads that it sends itself. */
	readonly sending: OwnUploads;
	/** Requests that are sent once, kept until their outcome is known. */
	readonly outbox: Outbox;
	/** Fine-tunes that are written and launched from here. */
	readonly finetune: FinetuneController;
	readonly serviceName: ServiceName;
	/** The service is the embedded one of this program. */
	readonly isOwn: boolean;
	readonly client: Client;
	readonly notices: NoticeList;
	readonly remembered: Remembered;
	readonly #queries: QueryClient;
	readonly #episodes: Episodes;
	readonly #feeds: ServiceFeeds;
	readonly #outgoing: Outgoing;
	readonly #stopped = new AbortController();
	#isReadOnlyLake = false;

	constructor({
		client,
		queries,
		state,
		readOnly = false,
		uploader,
		serviceName = {flags: []},
		messages,
		remembered = new Remembered(),
		isOwn = false,
	}: ExplorerOptions) {
		this.serviceName = serviceName;
		this.isOwn = isOwn;
		this.client = client;
		this.#queries = queries;
		this.remembered = remembered;
		this.state = createStore(() => ({...state, readOnly: readOnly || state.readOnly}));
		this.notices = new NoticeList({show: change => this.update(noticesChanged(change)), messages});
		this.places = new Places(this.state, (filter, change) => this.filterBy(filter, change));
		this.local = new LocalWatch({
			queries,
			client,
			changed: ({lake}) => {
				this.#feeds.fresh.setPace();
				if (lake) this.#feeds.fresh.lakeChanged();
			},
		});
		this.local.known.subscribe(() => this.#noteReadOnlyLake());
		const service = {queries, client, state: this.state, local: this.local};
		const update = (change: Change) => this.update(change);
		const notify: Notify = (...sentence) => this.notify(...sentence);
		this.#episodes = new Episodes({
			...service,
			lake: remembered.state.getState().lake,
			isOwn,
			mayChange: () => this.mayChange(),
			ask: question => this.update(asked(question)),
			update,
			notify,
		});
		const {questions} = this.#episodes;
		this.window = this.#episodes.window;
		this.sort = this.#episodes.sort;
		this.selection = this.#episodes.selection;
		this.reviews = this.#episodes.reviews;
		this.undo = this.#episodes.undo;
		this.evidence = questions.evidence;
		this.plots = questions.plots;
		this.pictures = questions.pictures;
		this.explanation = questions.explanation;
		this.filterLine = questions.filterLine;
		this.#feeds = new ServiceFeeds({...service, window: this.window, remembered, notify});
		this.feeds = this.#feeds.ofLists;
		this.uploads = this.#feeds.uploads;
		this.jobs = this.#feeds.jobs;
		this.catalog = this.#feeds.catalog;
		this.live = this.#feeds.fresh.stream;
		this.activityMonitor = this.#feeds.activityMonitor;
		this.#outgoing = new Outgoing({
			...service,
			catalog: this.catalog,
			remembered,
			uploader,
			selection: () => this.selection.subject(),
			holding: signal => this.selection.holding(signal),
			mayChange: () => this.mayChange(),
			update,
			notify,
			changed: () => this.refetch(),
			signal: this.signal,
		});
		this.work = this.#outgoing.work;
		this.sending = this.#outgoing.sending;
		this.exports = this.#outgoing.exports;
		this.outbox = this.#outgoing.outbox;
		this.finetune = this.#outgoing.finetune;
		this.savedViews = new SavedViews({
			state: this.state,
			client,
			canList: () => this.local.known.getState().document !== undefined,
			goTo: (filter, change) => this.filterBy(filter, change),
			notify,
		});
		// The episodes come first: a service that has just started answers one question at a time.
		void this.answered().then(() => {
			if (!this.#stopped.signal.aborted) this.local.start();
		});
	}

	/** Opens the stream of events once the first page is there or failed; until then, and without one, there is polling. */
	listen(): void {
		void this.answered().then(() => {
			this.live.start();
			if (!this.#stopped.signal.aborted) void this.activityMonitor.start();
		});
		void this.answered()
			.then(() => this.remembered.recall(this.#queries))
			.then(() => takeUpOutbox(this));
		// Earlier lines are there before the filter line is opened.
		void this.answered().then(() => this.filterLine.history.recall());
	}

	/** Settles when the service has given the first page, or has failed to. */
	answered(): Promise<void> {
		return this.#episodes.answered();
	}

	/** Changes the explorer's own state. */
	update(transition: Change): void {
		this.state.setState(before => recorded(before, transition(before)), true);
	}

	/**
	 * Filters the lake; a dataset's name that was not seen yet is looked for first.
	 *
	 * @param change what then becomes of the state; the filter must be in it.
	 */
	filterBy(filter: Filter, change?: Change): void {
		this.#episodes.filterBy(filter, change);
	}

	/** The selected episode; undefined while it is not read. */
	selectedEpisode(): LakeEpisode | undefined {
		return this.#episodes.selected.get();
	}

	/** Reads what is on the screen again. @returns until when the service asked to be left alone: till then nothing is read */
	refetch(): number | undefined {
		const ofEpisodes = this.#episodes.refetch();
		const freshness = this.#feeds.refetch(this.state.getState().view) ?? ofEpisodes;
		this.local.refetch();
		return 'notBefore' in freshness ? freshness.notBefore : undefined;
	}

	/** Says a sentence to the user, for as long as it takes to read; it is kept as a message. */
	notify(...sentence: Parameters<Notify>): void {
		this.notices.say(...sentence);
	}

	/** Aborts when the explorer stops. */
	get signal(): AbortSignal {
		return this.#stopped.signal;
	}

	/** Nothing is sent that changes something. */
	get readOnly(): boolean {
		return this.state.getState().readOnly;
	}

	setReadOnly(readOnly: boolean): void {
		this.update(state => ({...state, readOnly}));
	}

	/** Names of datasets whose episodes were seen. */
	get datasetNames(): readonly string[] {
		return this.#episodes.names.known;
	}

	/** Says once that the lake can only be read, and keeps to that. */
	#noteReadOnlyLake(): void {
		const {lake} = this.local.known.getState().document ?? {};
		if (!lake?.read_only || this.#isReadOnlyLake) return;
		this.#isReadOnlyLake = true;
		this.setReadOnly(true);
		this.notify('warning', `The lake is read-only, because ${lake.read_only}: nothing in it can be changed.`);
	}

	/** True if changes are allowed; notifies the user if not. */
	mayChange(): boolean {
		if (this.readOnly) {
			this.notify(
				'warning',
				'Nothing is changed while lakescope is read-only (--read-only, or readOnly in the configuration).',
				{action: 'app.read-only', does: 'changes that here'},
			);
		}
		return !this.readOnly;
	}

	/** Follows an upload or a job by the id that was typed. @returns whether it is an id; the user is told if not */
	follow(list: ListId, text: string): boolean {
		const id = text.trim().toLowerCase();
		if (!isId(id)) {
			this.notify('error', `"${text.trim()}" is not an id; ids look like ${exampleId}.`);
			return false;
		}
		if (list === 'uploads') this.uploads.follow(id);
		if (list === 'jobs') this.jobs.follow(id);
		return true;
	}

	/** Ends what is under way; timers of the cache would keep the process alive. */
	stop(): void {
		this.#stopped.abort();
		this.#outgoing.stop();
		this.#feeds.stop();
		this.local.stop();
		this.savedViews.stop();
		this.#episodes.stop();
		this.notices.stop();
		this.#queries.clear();
	}
}
