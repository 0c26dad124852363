import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import {ActivityMonitor} from './activity/activity-monitor.ts';
import {KeepFresh} from './activity/keep-fresh.ts';
import {Catalog} from './artifacts/catalog.ts';
import type {ListFeed} from './artifacts/listing-feed.ts';
import type {EpisodeWindow} from './episodes/episode-window.ts';
import type {ExplorerState} from './explorer-state.ts';
import {JobsFeed} from './jobs/jobs-feed.ts';
import type {Freshness} from './queries/freshness.ts';
import type {LocalWatch} from './queries/local-document.ts';
import type {ListId} from './state/list-location.ts';
import type {Notify} from './state/notices.ts';
import type {Remembered} from './state/remembered.ts';
import type {ViewId} from './state/user-state.ts';
import {UploadFeed} from './uploads/upload-feed.ts';

type ServiceFeedsOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly remembered: Remembered;
	readonly notify: Notify;
};

/** The service's data besides episodes, read for the view that shows, and the part that keeps it fresh. */
export class ServiceFeeds {
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly catalog: Catalog;
	/** The sources of the lists; that of events is the stream. */
	readonly ofLists: Readonly<Partial<Record<ListId, ListFeed>>>;
	readonly fresh: KeepFresh;
	readonly activityMonitor: ActivityMonitor;

	constructor({queries, client, state, window, local, remembered, notify}: ServiceFeedsOptions) {
		const feed = {queries, client, remembered, local: local.known, notify};
		const can: LocalWatch['can'] = (ability, signal) => local.can(ability, signal);
		this.uploads = new UploadFeed({...feed, can});
		this.jobs = new JobsFeed(feed);
		this.catalog = new Catalog({...feed, state});
		const {uploads, jobs, catalog} = this;
		const {datasets, models, projects} = catalog;
		this.ofLists = {uploads, jobs, datasets, models, projects};
		const show = (view: ViewId) => {
			for (const [list, each] of Object.entries(this.ofLists)) each.show(list === view);
		};
		state.subscribe(({view}, {view: before}) => {
			if (view !== before) show(view);
		});
		show(state.getState().view);
		this.fresh = new KeepFresh({queries, client, state, window, local, uploads, jobs, catalog});
		this.activityMonitor = new ActivityMonitor({
			uploads,
			jobs,
			local,
			recalled: () => remembered.recall(queries),
			remembered,
			window,
			shown: () => state.getState().view,
			notify: ({kind, text, way}) => notify(kind, text, way),
		});
	}

	/** Fetches what shows of them again. @returns how fresh the view's list was; undefined if it has none */
	refetch(view: ViewId): Freshness | undefined {
		const feed = view === 'explore' ? undefined : this.ofLists[view];
		const freshness = feed?.known.getState().freshness;
		feed?.refetch();
		this.catalog.files.refetch();
		this.fresh.stream.refetch();
		return freshness;
	}

	stop(): void {
		this.fresh.stop();
		this.activityMonitor.stop();
		this.uploads.stop();
		this.jobs.end();
		this.catalog.stop();
	}
}
