import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import type {Filter} from '../query/filter.ts';
import {toExploreRequest} from '../query/request.ts';
import {Catalog} from './catalog.ts';
import {DatasetNames} from './dataset-names.ts';
import {Explanation} from './empty-result/explanation.ts';
import {EpisodeWindow} from './episode-window.ts';
import {EvidenceWatch} from './evidence/evidence-watch.ts';
import type {ExplorerState, ViewId} from './explorer-state.ts';
import {ExportDesk} from './export/export-desk.ts';
import type {ServiceName} from './export/shell-lines.ts';
import {FilterDesk} from './filter-desk.ts';
import {FilterLine} from './filter-line/filter-line.ts';
import {followById} from './follow-by-id.ts';
import {JobsFeed} from './jobs/jobs-feed.ts';
import {LaunchDesk} from './launch/launch-desk.ts';
import {takeUpOrders} from './launch/take-up-orders.ts';
import type {ListFeed} from './list-feed.ts';
import type {ListId} from './list-place.ts';
import {KeepFresh} from './live/keep-fresh.ts';
import type {LiveStream} from './live/live-stream.ts';
import {LocalWatch} from './local-watch.ts';
import {Lookout} from './lookout/lookout.ts';
import type {Message, Tell} from './notices/notice.ts';
import {NoticeBoard} from './notices/notice-board.ts';
import {tellTrouble} from './notices/tell-trouble.ts';
import {OrderDesk} from './order/order-desk.ts';
import {SortedReading} from './order/sorted-reading.ts';
import {Orders} from './orders/orders.ts';
import {PictureWatch} from './pictures/picture-watch.ts';
import {recorded} from './places/history.ts';
import {Places} from './places/places.ts';
import {Plots} from './plots/plots.ts';
import {calmPaceMs} from './polling.ts';
import {Remembered} from './remembered/remembered.ts';
import {ReviewDesk} from './reviews/review-desk.ts';
import {SavedViews} from './saved-views/saved-views.ts';
import {SelectedEpisode} from './selected-episode.ts';
import {SelectionDesk} from './selection/selection-desk.ts';
import {noticesChanged} from './transitions.ts';
import {OwnUploads} from './uploads/own-uploads.ts';
import {UploadFeed} from './uploads/upload-feed.ts';
import type {Uploader} from './uploads/uploader.ts';
import {asked} from './view-transitions.ts';
import {WorkList} from './work/work-list.ts';

export type ExplorerOptions = {
	readonly client: Client;
	/** Cache of the service's answers; the explorer clears it when it stops. */
	readonly queries: QueryClient;
	/** What to begin with. */
	readonly state: ExplorerState;
	/** Nothing is sent that changes something. @default false */
	readonly readOnly?: boolean;
	/** What sends datasets of this machine; without it none are sent. */
	readonly uploader?: Uploader | undefined;
	/** How the service is named outside of the explorer. @default by nothing */
	readonly serviceName?: ServiceName;
	/** What was said before, by the explorer whose place it takes. */
	readonly messages?: readonly Message[];
	/** What outlives this run. @default nothing does */
	readonly remembered?: Remembered;
	/** The service is the embedded one of this program. @default false */
	readonly isOwn?: boolean;
};

type Change = (state: ExplorerState) => ExplorerState;

/** What the program knows and what its user is at, and everything that changes either. Knows nothing of React. */
export class Explorer {
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly evidence: EvidenceWatch;
	readonly live: LiveStream;
	readonly lookout: Lookout;
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly catalog: Catalog;
	/** What the lists are read from; that of events is the stream. */
	readonly feeds: Readonly<Partial<Record<ListId, ListFeed>>>;
	readonly places: Places;
	/** In which order the episodes are. */
	readonly order: OrderDesk;
	/** What is known while a filter is typed. */
	readonly filterLine: FilterLine;
	/** Why a filter lets nothing through. */
	readonly explanation: Explanation;
	/** What an episode was like over time. */
	readonly plots: Plots;
	/** How an episode looked. */
	readonly pictures: PictureWatch;
	readonly selection: SelectionDesk;
	/** What people decide about episodes. */
	readonly reviews: ReviewDesk;
	readonly exports: ExportDesk;
	readonly savedViews: SavedViews;
	/** What this program is at itself. */
	readonly work = new WorkList();
	/** Uploads that it sends itself. */
	readonly sending: OwnUploads;
	/** What is sent once, until it is known what became of it. */
	readonly orders: Orders;
	/** Fine-tunes that are written and launched from here. */
	readonly launch: LaunchDesk;
	readonly serviceName: ServiceName;
	readonly client: Client;
	readonly notices: NoticeBoard;
	readonly remembered: Remembered;
	readonly #queries: QueryClient;
	readonly #names: DatasetNames;
	readonly #fresh: KeepFresh;
	readonly #selected: SelectedEpisode;
	readonly #filters: FilterDesk;
	readonly #stopped = new AbortController();

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
		this.client = client;
		this.#queries = queries;
		this.remembered = remembered;
		this.#names = new DatasetNames(client);
		const known = toExploreRequest(state.filter, this.#names.idOf);
		this.state = createStore(() => ({...state, readOnly: readOnly || state.readOnly}));
		this.notices = new NoticeBoard({show: change => this.update(noticesChanged(change)), messages});
		this.places = new Places(this.state, (filter, change) => this.filterBy(filter, change));
		this.local = new LocalWatch({
			queries,
			client,
			changed: ({lake}) => {
				this.#fresh.setPace();
				if (lake) this.window.refresh();
			},
		});
		const reading = new SortedReading({
			client,
			can: (ability, signal) => this.local.can(ability, signal),
			countsTags: () =>
				isOwn || (this.local.known.getState().document?.abilities.includes('explore') ?? false),
			learn: episodes => this.#names.learn(episodes),
		});
		const {read} = reading;
		this.reviews = new ReviewDesk({
			state: this.state,
			client,
			window: () => this.window,
			selection: () => this.selection,
			current: () => this.selectedEpisode(),
			can: (ability, signal) => this.local.can(ability, signal),
			lake: remembered.state.getState().lake,
			mayChange: () => this.mayChange(),
			ask: question => this.update(asked(question)),
			tell: (...sentence) => this.notify(...sentence),
		});
		this.window = new EpisodeWindow({
			client: queries,
			question: known.ok ? known.request : {},
			sort: state.sort,
			first: state.position.offset,
			paceMs: calmPaceMs,
			read,
			canSort: () => reading.canSort,
			covered: episode => this.reviews.shown(episode),
		});
		const asking = {
			queries,
			client,
			abilities: () => this.local.known.getState().document?.abilities ?? [],
			filter: () => this.state.getState().filter,
		};
		this.pictures = new PictureWatch(asking);
		this.plots = new Plots({...asking, result: () => this.window.result.getState()});
		const {idOf} = this.#names;
		this.explanation = new Explanation({...asking, idOf, result: this.window.result});
		this.filterLine = new FilterLine({
			...asking,
			names: this.#names,
			read,
			window: this.window,
			apply: filter => this.filterBy(filter),
		});
		const tell: Tell = (...sentence) => this.notify(...sentence);
		const feed = {queries, client, remembered, local: this.local.known, tell};
		this.uploads = new UploadFeed(feed);
		const changed = () => this.refresh();
		this.sending = new OwnUploads({uploader, work: this.work, tell, changed});
		this.jobs = new JobsFeed(feed);
		this.catalog = new Catalog({...feed, state: this.state});
		const {datasets, models, projects} = this.catalog;
		this.feeds = {uploads: this.uploads, jobs: this.jobs, datasets, models, projects};
		const show = (view: ViewId) => {
			for (const [list, feed] of Object.entries(this.feeds)) feed.show(list === view);
		};
		this.state.subscribe(({view}, {view: before}) => {
			if (view !== before) show(view);
		});
		show(state.view);
		this.#fresh = new KeepFresh({
			client,
			window: this.window,
			local: this.local,
			uploads: this.uploads,
			jobs: this.jobs,
			catalog: this.catalog,
		});
		this.live = this.#fresh.stream;
		this.lookout = new Lookout({
			uploads: this.uploads,
			jobs: this.jobs,
			local: this.local,
			recalled: () => remembered.recall(queries),
			remembered,
			window: this.window,
			shown: () => this.state.getState().view,
			tell: ({kind, text, way}) => this.notify(kind, text, way),
		});
		this.evidence = new EvidenceWatch(queries, client);
		const {state: own, window} = this;
		const update = (change: Change) => this.update(change);
		const goTo = (filter: Filter, change?: Change) => this.filterBy(filter, change);
		this.order = new OrderDesk({state: own, reading, goTo, tell});
		this.selection = new SelectionDesk({state: own, window, client, reading, queries, update, tell});
		this.exports = new ExportDesk({client, work: this.work, tell});
		this.orders = new Orders({remembered, signal: this.signal});
		this.launch = new LaunchDesk({
			client,
			remembered,
			orders: this.orders,
			recalled: () => remembered.recall(queries),
			selection: () => this.selection.subject(),
			can: (ability, signal) => this.local.can(ability, signal),
			findDataset: (id, signal) => datasets.listing.find(id, signal),
			projectName: id => projects.known.getState().names.find(({key}) => key === id)?.label,
			mayChange: () => this.mayChange(),
			tell,
			update,
			changed,
		});
		this.savedViews = new SavedViews({
			state: own,
			client,
			canList: () => this.local.known.getState().document !== undefined,
			goTo,
			tell,
		});
		this.#selected = new SelectedEpisode({state: own, window, evidence: this.evidence, update});
		const {filterLine} = this;
		const desk = {state: own, window, filterLine, update, tell};
		this.#filters = new FilterDesk({...desk, names: this.#names, selected: this.#selected});
		if (!known.ok) this.filterBy(state.filter);
		tellTrouble(window.result, reason => tell('warning', reason));
		// The episodes come first: a service that has just started answers one question at a time.
		void this.answered().then(() => {
			if (!this.#stopped.signal.aborted) this.local.start();
		});
	}

	/** Opens the stream of events once the first page is there or failed; until then, and without one, there is polling. */
	listen(): void {
		void this.answered().then(() => {
			this.live.start();
			if (!this.#stopped.signal.aborted) void this.lookout.start();
		});
		void this.answered()
			.then(() => this.remembered.recall(this.#queries))
			.then(() => takeUpOrders(this));
		// Earlier lines are there by the time somebody opens the line.
		void this.answered().then(() => this.filterLine.history.recall());
	}

	/** Settles when the service has given the first page, or has failed to. */
	answered(): Promise<void> {
		const {result} = this.window;
		return new Promise(resolve => {
			const look = () => {
				if (result.getState().freshness.state === 'loading') return;
				stop();
				resolve();
			};
			const stop = result.subscribe(look);
			look();
		});
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
		this.#filters.ask(filter, change);
	}

	/** The selected episode; undefined while it is not read. */
	selectedEpisode(): LakeEpisode | undefined {
		return this.#selected.get();
	}

	/** Reads what is on the screen again. @returns until when the service asked to be left alone: till then nothing is read */
	refresh(): number | undefined {
		const {view} = this.state.getState();
		const feed = view === 'explore' ? undefined : this.feeds[view];
		const freshness = feed?.known.getState().freshness ?? this.window.result.getState().freshness;
		feed?.readAgain();
		this.catalog.files.readAgain();
		this.window.refresh();
		this.plots.series.again();
		this.local.lookAgain();
		this.live.lookAgain();
		return 'notBefore' in freshness ? freshness.notBefore : undefined;
	}

	/** Says a sentence to the user, for as long as it takes to read; it is kept as a message. */
	notify(...sentence: Parameters<Tell>): void {
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
		return this.#names.known;
	}

	/** Whether something may be changed; says why where it may not. */
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

	/** Follows something by its id in a list; says so where that is none. */
	follow(list: ListId, text: string): boolean {
		const problem = followById(this, list, text);
		if (problem !== undefined) this.notify('error', problem);
		return problem === undefined;
	}

	/** Takes a dataset folder of the service's machine into the lake, under the folder's name or another. */
	async ingest(folder: string, name?: string): Promise<void> {
		try {
			const request = {folder, ...(name !== undefined && {name})};
			const {data} = await this.client.ingest(request, {signal: this.#stopped.signal});
			this.notify('info', `Taking in ${data.dataset_name}.`);
			this.local.lookAgain();
			this.uploads.readAgain();
		} catch (error) {
			if (!this.#stopped.signal.aborted) this.notify('error', messageOf(error));
		}
	}

	/** Ends what is under way; timers of the cache would keep the process alive. */
	stop(): void {
		this.#stopped.abort();
		this.work.stop();
		this.#filters.stop();
		this.#fresh.stop();
		this.lookout.stop();
		this.uploads.stop();
		this.jobs.end();
		this.catalog.stop();
		this.local.stop();
		this.evidence.stop();
		this.plots.stop();
		this.pictures.close();
		this.filterLine.close();
		this.explanation.stop();
		this.order.stop();
		this.reviews.stop();
		this.selection.stop();
		this.exports.stop();
		this.launch.stop();
		this.savedViews.stop();
		this.window.stop();
		this.notices.stop();
		this.#queries.clear();
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
